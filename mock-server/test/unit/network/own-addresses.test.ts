import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createOwnAddresses } from '../../../src/network/own-addresses.ts';

const PORT = 4010;
const own = (publicUrl?: string) =>
  createOwnAddresses({ port: () => PORT, publicUrl }, () => ['192.0.2.7', '2001:db8::7']);

describe("The server's own port", () => {
  test.each([
    ['a loopback address', '127.0.0.1', '192.0.2.8'],
    ['another loopback address', '127.9.8.7', '128.0.0.1'],
    ['IPv6 loopback', '::1', '::2'],
    ['a mapped address', '::ffff:127.0.0.1', '::ffff:192.0.2.8'],
    ['a mapped address in hexadecimal', '0:0:0:0:0:ffff:7f00:1', '0:0:0:0:0:ffff:8000:1'],
    ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8000:1'],
    ['6to4', '2002:7f00:1::', '2002:8000:1::'],
    ['the unspecified address', '0.0.0.0', '1.0.0.0'],
    ['the unspecified IPv6 address', '::', '::3'],
    ["an interface's address", '192.0.2.7', '192.0.2.8'],
    ["an interface's mapped address", '::ffff:192.0.2.7', '::ffff:192.0.2.8'],
    ["an interface's IPv6 address, written in full", '2001:0db8:0:0:0:0:0:7', '2001:db8::8'],
  ])('is closed at %s, and open at another address', (_what, address, elsewhere) => {
    expect(own().include(address, PORT)).toBe(true);
    expect(own().include(address, PORT + 1)).toBe(false);
    expect(own().include(elsewhere, PORT)).toBe(false);
  });

  test("is closed at every address of this machine's interfaces", () => {
    const { include } = createOwnAddresses({ port: () => PORT, publicUrl: undefined });
    const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
    expect(addresses).not.toEqual([]);
    for (const address of addresses) expect([address, include(address, PORT)]).toEqual([address, true]);
  });

  test('is checked by address after a look-up, not by name', () => {
    expect(own().usePort(PORT)).toBe(true);
    expect(own().usePort(443)).toBe(false);
    expect(own().include('receiver.example', PORT)).toBe(false);
  });
});

describe('The public URL', () => {
  test.each([
    ['a name', 'https://api.service.test/base', 443, ['api.service.test', 'API.service.test.'], 'other.service.test'],
    ['a name with a port', 'https://api.service.test:8443', 8443, ['api.service.test'], '127.0.0.1'],
    ['an http URL', 'http://api.service.test', 80, ['api.service.test'], 'x.api.service.test'],
    ['an address', 'https://192.0.2.9', 443, ['192.0.2.9', '::ffff:192.0.2.9', '64:ff9b::c000:209'], '192.0.2.10'],
    ['an IPv6 address', 'https://[2001:db8::9]:444', 444, ['2001:db8::9', '2001:db8:0::9'], '2001:db8::a'],
    ['localhost', 'http://localhost:8080', 8080, ['localhost', '127.0.0.1', '::1', '127.1.1.1'], '192.0.2.7'],
    [
      'a name below localhost',
      'http://svc.localhost:8080',
      8080,
      ['svc.localhost', 'localhost', '127.0.0.1'],
      '192.0.2.7',
    ],
    ['a loopback address', 'http://127.0.0.1:8080', 8080, ['127.0.0.1', '::1', '0.0.0.0'], '192.0.2.7'],
  ])('%s is closed at its port', (_what, url, port, closed, open) => {
    const addresses = own(url);
    expect(addresses.usePort(port)).toBe(true);
    for (const host of closed) {
      expect([host, addresses.include(host, port)]).toEqual([host, true]);
      expect([host, addresses.include(host, port + 1)]).toEqual([host, false]);
    }
    expect(addresses.include(open, port)).toBe(false);
  });
});
