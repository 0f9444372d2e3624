import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askNameServers } from '../../../src/network/ask-name-servers.ts';
import { type NameResponse, type NameServer, responseTo, startNameServer } from '../../support/delivery/name-server.ts';

const LIMIT_MS = 10_000;
const IPV4 = { address: '192.0.2.1', family: 4 };
const IPV6 = { address: '2001:db8::1', family: 6 };

let names: NameServer;
/** What the name server does with the name `special.test`. */
let special: NameResponse;
let other: NameServer;
beforeAll(async () => {
  names = await startNameServer((name) => (name === 'special.test' ? special : [IPV4.address, IPV6.address]));
  other = await startNameServer(() => [IPV4.address]);
});
afterAll(async () => {
  await names[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});

const ask = (name: string, servers = [names.address]) => askNameServers(name, LIMIT_MS, servers);
const askSpecial = (response: NameResponse, servers?: string[]) => {
  special = response;
  return ask('special.test', servers);
};
/** Changes a good response. */
const changed = (change: (response: Buffer) => Buffer) => (query: Buffer) =>
  change(responseTo(query, [IPV4.address, IPV6.address]));
const withCode = (code: number) =>
  changed((response) => {
    response[3] = ((response[3] ?? 0) & 0xf0) | code;
    return response;
  });
/** Whether a query is for addresses of this family. */
const isFor = ({ family }: typeof IPV4, query: Buffer) =>
  query.readUInt16BE(query.length - 4) === (family === 4 ? 1 : 28);
const NONE = { addresses: [], haveFailed: false, areTooMany: false };
const FAILED = { addresses: [], haveFailed: true, areTooMany: false };

describe('Name servers', () => {
  it('are asked for IPv4 and IPv6 addresses', async () => {
    expect(await ask('two.test')).toEqual({ addresses: [IPV4, IPV6], haveFailed: false, areTooMany: false });
    expect(names.asked.filter((name) => name === 'two.test')).toHaveLength(2);
  });

  it('may know of no such name, or of no addresses', async () => {
    expect(await askSpecial(undefined)).toEqual(NONE);
    expect(await askSpecial([])).toEqual(NONE);
  });

  it('may send a part of a response that is too large, or nothing of it', async () => {
    const cut = changed((response) => {
      response[2] = (response[2] ?? 0) | 0x02;
      return response;
    });
    expect(await askSpecial(cut)).toEqual({ addresses: [IPV4, IPV6], haveFailed: false, areTooMany: false });
    expect(await askSpecial('truncated')).toEqual({ ...NONE, areTooMany: true });
    const onlyIPv4IsCut = (query: Buffer) => responseTo(query, isFor(IPV4, query) ? 'truncated' : [IPV6.address]);
    expect(await askSpecial(onlyIPv4IsCut)).toEqual({ addresses: [IPV6], haveFailed: false, areTooMany: true });
  });

  it('need not respond to the query for one of the families', async () => {
    const onlyIPv4 = (query: Buffer) => (isFor(IPV4, query) ? responseTo(query, [IPV4.address]) : Buffer.alloc(0));
    special = onlyIPv4;
    expect(await askNameServers('special.test', 50, [names.address])).toMatchObject({ addresses: [IPV4] });
    const failsForIPv6 = (query: Buffer) =>
      isFor(IPV4, query) ? responseTo(query, [IPV4.address]) : withCode(2)(query);
    expect(await askSpecial(failsForIPv6, [names.address, other.address])).toMatchObject({ addresses: [IPV4] });
    expect(other.asked).not.toContain('special.test');
  });

  it('are asked one after the other until one of them knows', async () => {
    const found = { addresses: [IPV4], haveFailed: false, areTooMany: false };
    for (const code of [1, 2, 5]) {
      expect(await askSpecial(withCode(code), [names.address, other.address])).toEqual(found);
    }
    // Nothing listens on these ports.
    expect(await ask('two.test', ['127.0.0.1:1', '[::1]:1', other.address])).toEqual(found);
  });

  it('have failed if the last one could not find the name, but not if it refuses or cannot be reached', async () => {
    expect(await askSpecial(withCode(2))).toEqual(FAILED);
    expect(await askSpecial(withCode(5))).toEqual(NONE);
    expect(await ask('two.test', ['127.0.0.1:1'])).toEqual(NONE);
    expect(await ask('two.test', [])).toEqual(NONE);
  });

  it('are not waited for any longer than the limit', async () => {
    special = 'silent';
    expect(await askNameServers('special.test', 30, [names.address])).toEqual(FAILED);
  });

  it.each(['', '.', 'a..test', `${'a'.repeat(64)}.test`, 'a.'.repeat(130)])(
    'are not asked for %j, which is no name',
    async (name) => {
      expect(await askNameServers(name, LIMIT_MS, [names.address])).toEqual(NONE);
    },
  );
});

describe('A response counts only if', () => {
  it.each<[string, (response: Buffer) => Buffer]>([
    ['it has the id of the query', (response) => Buffer.concat([Buffer.of(~(response[0] ?? 0)), response.subarray(1)])],
    ['it is no query', (response) => Buffer.concat([response.subarray(0, 2), Buffer.of(1, 0), response.subarray(4)])],
    [
      'it has the name of the query',
      (response) => Buffer.from(response.toString('latin1').replace('special', 'another'), 'latin1'),
    ],
    [
      'it has a question',
      (response) => Buffer.concat([response.subarray(0, 4), Buffer.of(0, 0), response.subarray(6)]),
    ],
    ['it has at most 4 KiB', (response) => Buffer.concat([response, Buffer.alloc(4_096)])],
    ['it has a whole header', (response) => response.subarray(0, 11)],
  ])('%s', async (_what, change) => {
    special = changed(change);
    expect(await askNameServers('special.test', 30, [names.address])).toEqual(FAILED);
  });

  it('it has the same name, in upper or lower case', async () => {
    const upper = changed((response) =>
      Buffer.from(response.toString('latin1').replace('special', 'SPECIAL'), 'latin1'),
    );
    expect(await askSpecial(upper)).toEqual({ addresses: [IPV4, IPV6], haveFailed: false, areTooMany: false });
  });
});

it('Records of other types, classes and sizes are skipped', async () => {
  const skipped = [
    'c00c0005000100000000000603616263c00c', // a canonical name
    '03616263000001000300000000000401020304', // another class
    'c00c000100010000000000020102', // an IPv4 address with two bytes
    'c00c001c00010000000000020102', // an IPv6 address with two bytes
  ].map((hex) => Buffer.from(hex, 'hex'));
  const found = await askSpecial((query) => {
    const response = responseTo(query, [IPV4.address, IPV6.address]);
    response.writeUInt16BE(response.readUInt16BE(6) + skipped.length, 6);
    return Buffer.concat([response.subarray(0, query.length), ...skipped, response.subarray(query.length)]);
  });
  expect(found).toEqual({ addresses: [IPV4, IPV6], haveFailed: false, areTooMany: false });
});

it('Random records cause no error', async () => {
  const random = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(fc.nat(2 ** 16 - 1), random, async (count, records) => {
      const { addresses, haveFailed } = await askSpecial((query) => {
        const response = responseTo(query, []);
        response.writeUInt16BE(count, 6);
        return Buffer.concat([response, records]);
      });
      expect(haveFailed).toBe(false);
      for (const { address, family } of addresses) expect(address).toMatch(family === 4 ? /^[\d.]+$/ : /^[\d.:a-f]+$/);
    }),
  );
});
