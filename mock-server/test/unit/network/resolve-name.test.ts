import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../../src/delivery/sending/connections.ts';
import { createNetworkSender } from '../../../src/delivery/sending/send-over-network.ts';
import { createAddressRules } from '../../../src/domain/receiver-address.ts';
import { createNameResolver, UnresolvedNameError } from '../../../src/network/resolve-name.ts';
import { type NameResponse, type NameServer, responseTo, startNameServer } from '../../support/delivery/name-server.ts';
import { startReceiver } from '../../support/delivery/receiver.ts';

const IPV4 = { address: '192.0.2.1', family: 4 };
const IPV6 = { address: '2001:db8::1', family: 6 };

let names: NameServer;
/** What the name server does with the name `special.test`. */
let special: NameResponse;
let other: NameServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hosts-'));
  names = await startNameServer((name) => {
    if (name.startsWith('silent')) return 'silent';
    if (name === 'special.test') return special;
    if (name === 'receiver.test') return ['127.0.0.1'];
    if (/^\d+\.many\.test$/.test(name)) {
      return Array.from({ length: Number.parseInt(name, 10) }, (_, index) => `192.0.2.${index}`);
    }
    if (name === 'two.test') return [IPV6.address, IPV4.address];
    return undefined;
  });
  other = await startNameServer((name) => (name === 'special.test' ? [IPV4.address] : undefined));
});
afterAll(async () => {
  await names[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
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
    expect(await createResolver()('two.test')).toEqual([IPV4, IPV6]);
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

it('A name has at most 64 addresses', async () => {
  expect(await createResolver()('64.many.test')).toHaveLength(64);
  await expect(createResolver()('65.many.test')).rejects.toThrow('65.many.test has more than 64 addresses.');
});

describe('Name servers', () => {
  const withCode = (code: number) => (query: Buffer) => {
    const response = responseTo(query, [IPV4.address]);
    response.writeUInt8(0x80 | code, 3);
    return response;
  };
  const SERVER_FAILURE = 2;
  const REFUSED = 5;

  it('need not respond to the query for one of the families', async () => {
    const isForIPv4 = (query: Buffer) => responseTo(query, [IPV4.address]).readUInt16BE(6) === 1;
    special = (query) => (isForIPv4(query) ? responseTo(query, [IPV4.address]) : Buffer.alloc(0));
    expect(await createResolver({ timeoutMs: 200 })('special.test')).toEqual([IPV4]);
    special = (query) => (isForIPv4(query) ? responseTo(query, [IPV4.address]) : withCode(SERVER_FAILURE)(query));
    expect(await createResolver()('special.test')).toEqual([IPV4]);
  });

  it('are asked one after the other until one of them knows', async () => {
    for (const code of [SERVER_FAILURE, REFUSED]) {
      special = withCode(code);
      expect(await createResolver({ servers: [names.address, other.address] })('special.test')).toEqual([IPV4]);
    }
    // Nothing listens on these ports.
    const resolve = createResolver({ servers: ['127.0.0.1:1', '[::1]:1', other.address] });
    expect(await resolve('special.test')).toEqual([IPV4]);
  });

  it('do not know the name if all refuse or cannot be reached, so the system is asked', async () => {
    const askSystem = async () => [IPV6];
    special = withCode(REFUSED);
    expect(await createResolver({ askSystem })('special.test')).toEqual([IPV6]);
    expect(await createResolver({ askSystem, servers: ['127.0.0.1:1'] })('special.test')).toEqual([IPV6]);
  });

  it('may fail to look up the name, and the system is not asked, because it would ask the same ones', async () => {
    const askSystem = vi.fn(async () => [IPV6]);
    special = withCode(SERVER_FAILURE);
    await expect(createResolver({ askSystem })('special.test')).rejects.toThrow('no name server could look up');
    expect(askSystem).not.toHaveBeenCalled();
  });

  it.each(['a..test', `${'a'.repeat(64)}.test`, 'a.'.repeat(130)])(
    'are not asked for %j, which is no name',
    async (name) => {
      const count = names.asked.length;
      await expect(createResolver()(name)).rejects.toThrow(UnresolvedNameError);
      expect(names.asked).toHaveLength(count);
    },
  );
});

describe('Lookups by the system', () => {
  const FOUND = [IPV4];

  /** A system whose lookups end when the test says so. */
  function createSystem(timeoutMs = 10_000) {
    const asked: string[] = [];
    const running = new Map<string, PromiseWithResolvers<typeof FOUND>>();
    const askSystem = (name: string) => {
      asked.push(name);
      const response = Promise.withResolvers<typeof FOUND>();
      running.set(name, response);
      return response.promise;
    };
    return {
      asked,
      resolve: createResolver({ askSystem, timeoutMs }),
      find: (name: string) => running.get(name)?.resolve(FOUND),
      fail: (name: string) => running.get(name)?.reject(new Error('unknown')),
    };
  }

  it('of one domain wait for each other, and a lookup in another domain does not', async () => {
    const { resolve, asked, find } = createSystem();
    const first = resolve('a.slow.test');
    await vi.waitFor(() => expect(asked).toEqual(['a.slow.test']));
    const second = resolve('b.Slow.test.');
    const otherDomain = resolve('printer.lan.test');
    await vi.waitFor(() => expect(asked).toEqual(['a.slow.test', 'printer.lan.test']));
    find('printer.lan.test');
    expect(await otherDomain).toEqual(FOUND);
    expect(asked).toHaveLength(2);
    find('a.slow.test');
    expect(await first).toEqual(FOUND);
    await vi.waitFor(() => expect(asked.at(-1)).toBe('b.Slow.test.'));
    find('b.Slow.test.');
    expect(await second).toEqual(FOUND);
  });

  it('run two at a time, and domains take turns', async () => {
    const { resolve, asked, find, fail } = createSystem();
    for (const [index, name] of ['a.one.test', 'a.two.test', 'b.one.test', 'b.two.test'].entries()) {
      resolve(name).catch(() => {});
      await vi.waitFor(() => expect(asked).toHaveLength(Math.min(index + 1, 2)));
    }
    const questions = () => names.asked.filter((name) => name.endsWith('.three.test')).length;
    const late = resolve('a.three.test');
    await vi.waitFor(() => expect(questions()).toBe(2));
    fail('a.one.test');
    await vi.waitFor(() => expect(asked).toHaveLength(3));
    // It came last, but its domain had no turn yet.
    expect(asked[2]).toBe('a.three.test');
    find('a.three.test');
    expect(await late).toEqual(FOUND);
    await vi.waitFor(() => expect(asked[3]).toBe('b.one.test'));
  });

  it('that wait too long do not start', async () => {
    const { resolve, asked, fail } = createSystem(100);
    const first = resolve('a.test.test');
    await vi.waitFor(() => expect(asked).toEqual(['a.test.test']));
    const waiting = resolve('b.test.test');
    await sleep(150);
    fail('a.test.test');
    for (const lookUp of [first, waiting]) await expect(lookUp).rejects.toThrow(UnresolvedNameError);
    expect(asked).toEqual(['a.test.test']);
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
