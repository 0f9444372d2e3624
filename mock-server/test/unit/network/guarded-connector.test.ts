import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAddressRules } from '../../../src/domain/receiver-address.ts';
import { BlockedAddressError, createGuardedConnector } from '../../../src/network/guarded-connector.ts';
import type { ResolveName } from '../../../src/network/resolve-name.ts';

/** Answers each lookup with the next of these lists. */
function resolving(...answers: LookupAddress[][]): ResolveName & { calls: number } {
  const resolve: ResolveName & { calls: number } = Object.assign(
    async () => answers[Math.min(resolve.calls++, answers.length - 1)] ?? [],
    { calls: 0 },
  );
  return resolve;
}

const loopback = { address: '127.0.0.1', family: 4 };
const other = { address: '127.0.0.2', family: 4 };
const metadata = { address: '169.254.169.254', family: 4 };

async function connect(hostname: string, resolve: ResolveName, allowLoopback = true) {
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  try {
    const connector = createGuardedConnector(createAddressRules({ allowLoopback, allowNetworks: [] }), 1_000, resolve);
    const port = String((server.address() as AddressInfo).port);
    const socket = await new Promise<Socket>((done, fail) => {
      connector({ hostname, host: hostname, protocol: 'http:', port }, (error, made) =>
        error ? fail(error) : done(made as Socket),
      );
    });
    const address = socket.remoteAddress;
    socket.destroy();
    return address;
  } finally {
    server.close();
  }
}

describe('Addresses are checked and pinned when a connection looks them up', () => {
  it('a name with an allowed address is looked up once and connected to at that address', async () => {
    const resolve = resolving([loopback], [metadata]);
    expect(await connect('receiver.example', resolve)).toBe('127.0.0.1');
    expect(resolve.calls).toBe(1);
  });

  it('a name with one allowed and one blocked address is refused, in either order', async () => {
    await expect(connect('receiver.example', resolving([loopback, metadata]))).rejects.toThrow(BlockedAddressError);
    await expect(connect('receiver.example', resolving([metadata, loopback]))).rejects.toThrow(BlockedAddressError);
    expect(await connect('receiver.example', resolving([loopback, other]))).toMatch(/^127\.0\.0\.[12]$/);
  });

  it('a literal address is checked without a lookup', async () => {
    const never = resolving([loopback]);
    await expect(connect('127.0.0.1', never, false)).rejects.toThrow(BlockedAddressError);
    await expect(connect('::ffff:127.0.0.1', never, false)).rejects.toThrow(BlockedAddressError);
    expect(await connect('127.0.0.1', never, true)).toBe('127.0.0.1');
    expect(never.calls).toBe(0);
  });

  it('localhost is looked up and checked like any other name', async () => {
    await expect(connect('localhost', resolving([loopback]), false)).rejects.toThrow(BlockedAddressError);
    expect(await connect('localhost', resolving([loopback]), true)).toBe('127.0.0.1');
  });
});
