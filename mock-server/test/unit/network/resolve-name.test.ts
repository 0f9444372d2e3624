import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../../src/delivery/sending/connections.ts';
import { createNetworkSender } from '../../../src/delivery/sending/send-over-network.ts';
import { createAddressRules } from '../../../src/domain/receiver-address.ts';
import { createNameResolver, UnresolvedNameError } from '../../../src/network/resolve-name.ts';
import { type NameServer, startNameServer } from '../../support/delivery/name-server.ts';
import { startReceiver } from '../../support/delivery/receiver.ts';

let names: NameServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  names = await startNameServer((name) => {
    if (name.startsWith('silent')) return 'silent';
    if (name === 'truncated.test') return 'truncated';
    if (name === 'receiver.test') return ['127.0.0.1'];
    if (/^\d+\.many\.test$/.test(name)) {
      return Array.from({ length: Number.parseInt(name, 10) }, (_, index) => `192.0.2.${index}`);
    }
    if (name === 'two.test') return ['192.0.2.1', '192.0.2.2'];
    return undefined;
  });
});
afterAll(async () => {
  await names[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const unknown = async () => {
  throw new Error('The system does not know it.');
};
const createResolver = (options: Partial<Parameters<typeof createNameResolver>[0]> = {}) =>
  createNameResolver({ timeoutMs: 10_000, servers: [names.address], askSystem: unknown, ...options });

const subject = {
  id: 'whd_1',
  endpointId: 'whe_1',
  workspaceId: 'wsp_1',
  eventType: 'lifecycle.evaluated',
  attempt: 1,
};

describe('The address of a name', () => {
  it('comes from the name servers, with all other addresses of the name', async () => {
    expect(await createResolver()('two.test')).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
    ]);
  });

  it('is looked up once for calls at the same time, and again for a later call', async () => {
    const resolve = createResolver();
    const questions = () => names.asked.filter((name) => name === 'shared.test').length;
    await Promise.allSettled([resolve('shared.test'), resolve('shared.test')]);
    expect(questions()).toBe(2); // IPv4 and IPv6
    await expect(resolve('shared.test')).rejects.toThrow(UnresolvedNameError);
    expect(questions()).toBe(4);
  });

  it('comes from the hosts file before the name servers, in its current version', async () => {
    const hostsFile = join(folder, 'hosts');
    const resolve = createResolver({ hostsFile });
    expect(await resolve('receiver.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
    await writeFile(
      hostsFile,
      '# mine\n192.0.2.7\tother.test Receiver.test # moved\n::1 receiver.test\nnothing receiver.test\n',
    );
    const written = [
      { address: '192.0.2.7', family: 4 },
      { address: '::1', family: 6 },
    ];
    expect(await resolve('receiver.test')).toEqual(written);
    expect(await resolve('RECEIVER.TEST.')).toEqual(written);
    await writeFile(hostsFile, '');
    expect(await resolve('receiver.test')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('is loopback for localhost and all names below it, without a lookup', async () => {
    const resolve = createResolver({ hostsFile: join(folder, 'none') });
    for (const name of ['localhost', 'LocalHost.', 'app.localhost']) {
      expect(await resolve(name)).toEqual([
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    }
    expect(names.asked.filter((name) => name.includes('localhost'))).toEqual([]);
  });

  it('comes from the system if the name servers do not know it', async () => {
    const askSystem = vi.fn(async () => [{ address: '192.0.2.9', family: 4 }]);
    expect(await createResolver({ askSystem })('printer.local')).toEqual([{ address: '192.0.2.9', family: 4 }]);
    expect(askSystem).toHaveBeenCalledExactlyOnceWith('printer.local');
  });

  it('causes an error if it is found nowhere', async () => {
    await expect(createResolver()('nowhere.test')).rejects.toThrow(UnresolvedNameError);
  });

  it('does not come from the system if the name servers are silent, because it would wait for the same ones', async () => {
    const askSystem = vi.fn(unknown);
    await expect(createResolver({ askSystem, timeoutMs: 50 })('silent.test')).rejects.toThrow(UnresolvedNameError);
    expect(askSystem).not.toHaveBeenCalled();
  });
});

describe('A name with many addresses', () => {
  it('has at most 64', async () => {
    expect(await createResolver()('64.many.test')).toHaveLength(64);
    await expect(createResolver()('65.many.test')).rejects.toThrow(UnresolvedNameError);
  });

  it('comes from the system if the response of the name servers is truncated', async () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ address: `192.0.2.${index}`, family: 4 }));
    const askSystem = async () => many;
    await expect(createResolver({ askSystem })('truncated.test')).rejects.toThrow(
      'truncated.test has more than 64 addresses.',
    );
    many.pop();
    expect(await createResolver({ askSystem })('truncated.test')).toEqual(many);
  });
});

describe('A name whose servers are silent', () => {
  it('does not delay other names, even with more such names than a process has threads', async () => {
    await using receiver = await startReceiver();
    const rules = createAddressRules({ allowLoopback: true, allowNetworks: [] });
    const connections = createConnections(rules, 10_000, { resolve: createResolver({ timeoutMs: 10_000 }) });
    const send = createNetworkSender(connections, 10_000);
    const { port, pathname } = new URL(receiver.url);
    const sendTo = (name: string) =>
      send({ url: `http://${name}:${port}${pathname}`, headers: {}, body: '{}' }, subject);
    let ended = 0;
    for (let count = 0; count < 16; count++) sendTo(`silent${count}.test`).finally(() => ended++);
    await vi.waitFor(() => expect(names.asked.filter((name) => name.startsWith('silent1')).length).toBeGreaterThan(7));
    expect(await sendTo('receiver.test')).toMatchObject({ response: { status: 200 } });
    expect(ended).toBe(0);
    await connections.destroy();
  });
});
