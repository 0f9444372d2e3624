import { describe, expect, it } from 'vitest';
import { createAddressRules, InvalidNetworkError, literalAddressOf } from '../../../src/domain/receiver-address.ts';

const strict = createAddressRules({ allowLoopback: false, allowNetworks: [] });
const local = createAddressRules({ allowLoopback: true, allowNetworks: [] });

describe('Receivers on private, loopback, link-local, multicast and metadata addresses are refused', () => {
  it.each([
    ['this network', '0.0.0.0', '1.0.0.0'],
    ['private 10/8', '10.255.255.255', '11.0.0.0'],
    ['carrier-grade NAT', '100.64.0.1', '100.63.255.255'],
    ['carrier-grade NAT, its end', '100.127.255.255', '100.128.0.0'],
    ['loopback', '127.0.0.1', '126.255.255.255'],
    ['link-local', '169.254.1.1', '169.253.255.255'],
    ['metadata', '169.254.169.254', '169.255.0.0'],
    ['Azure metadata', '168.63.129.16', '168.63.129.17'],
    ['private 172.16/12', '172.16.0.1', '172.15.255.255'],
    ['private 172.16/12, its end', '172.31.255.255', '172.32.0.0'],
    ['protocol assignments', '192.0.0.1', '192.0.1.1'],
    ['documentation', '192.0.2.1', '192.0.3.1'],
    ['6to4 relays', '192.88.99.1', '192.88.98.1'],
    ['private 192.168/16', '192.168.1.1', '192.169.0.0'],
    ['benchmarking', '198.19.255.255', '198.20.0.0'],
    ['multicast', '224.0.0.1', '223.255.255.255'],
    ['reserved', '240.0.0.1', '8.8.8.8'],
    ['broadcast', '255.255.255.255', '9.9.9.9'],
    ['IPv6 unspecified', '::', '2600::'],
    ['IPv6 loopback', '::1', '2a00::1'],
    ['unique local', 'fd00:ec2::254', '2606:4700::1111'],
    ['IPv6 link-local', 'fe80::1', '2400:cb00::1'],
    ['link-local with a zone', 'fe80::1%eth0', '2001:4860:4860::8888'],
    ['IPv6 multicast', 'ff02::1', '2a01::1'],
    ['IPv6 documentation', '2001:db8::1', '2001:db9::1'],
    ['Teredo', '2001::1', '2001:200::1'],
    ['v4-mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8'],
    ['v4-mapped in hexadecimal', '::ffff:a9fe:a9fe', '::ffff:808:808'],
    ['v4-compatible', '::10.0.0.1', '2a02::1'],
    ['NAT64', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8'],
    ['local NAT64', '64:ff9b:1::808:808', '2a03::1'],
    ['6to4', '2002:c0a8:101::1', '2002:808:808::1'],
  ])('%s: %s is refused, %s is not', (_name, closed, open) => {
    expect({ address: closed, allowed: strict.allows(closed) }).toEqual({ address: closed, allowed: false });
    expect({ address: open, allowed: strict.allows(open) }).toEqual({ address: open, allowed: true });
  });

  it.each(['', 'localhost', '127.1', '2130706433', '0x7f000001', '[::1]', '1.2.3.4.5'])(
    'anything but an address in its standard spelling is refused: %j',
    (text) => {
      expect(strict.allows(text)).toBe(false);
      expect(local.allows(text)).toBe(false);
    },
  );

  it.each([
    ['decimal', 'http://2130706433/'],
    ['octal', 'http://0177.0.0.1/'],
    ['hexadecimal', 'http://0x7f.0.0.1/'],
    ['short', 'http://127.1/'],
    ['full width', 'http://１２７.０.０.１/'],
    ['v4-mapped', 'http://[::ffff:127.0.0.1]/'],
    ['long', 'http://[0:0:0:0:0:ffff:7f00:1]/'],
    ['NAT64', 'http://[64:ff9b::7f00:1]/'],
  ])('a literal loopback address in a URL is recognized in its %s spelling', (_name, url) => {
    const address = literalAddressOf(new URL(url));
    expect(address).toBeDefined();
    expect(strict.allows(address ?? '')).toBe(false);
    expect(local.allows(address ?? '')).toBe(true);
  });

  it('a name is not a literal address', () => {
    expect(literalAddressOf(new URL('https://127.0.0.1.example.com/'))).toBeUndefined();
  });
});

describe('The local profile and --allow-network', () => {
  it.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])('loopback is allowed: %s', (address) => {
    expect(local.allows(address)).toBe(true);
  });

  it.each(['0.0.0.0', '10.0.0.1', '169.254.169.254', 'fe80::1'])(
    'the local profile allows nothing else: %s',
    (address) => {
      expect(local.allows(address)).toBe(false);
    },
  );

  it('a named network is allowed in every spelling, and its neighbours are not', () => {
    const rules = createAddressRules({
      allowLoopback: false,
      allowNetworks: ['10.1.0.0/16', 'fd00:1::/32', '192.168.0.7'],
    });
    const allowed = ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::a01:203', 'fd00:1::5', '192.168.0.7'];
    const refused = ['10.2.0.0', '::ffff:10.2.0.0', 'fd00:2::5', '192.168.0.8', '127.0.0.1'];
    expect(allowed.filter((address) => !rules.allows(address))).toEqual([]);
    expect(refused.filter((address) => rules.allows(address))).toEqual([]);
  });

  it('without public addresses, only loopback and the named networks are allowed', () => {
    const rules = createAddressRules({ allowLoopback: true, allowNetworks: ['10.1.0.0/16'], allowPublic: false });
    const allowed = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3'];
    const refused = ['8.8.8.8', '::ffff:8.8.8.8', '2600::', '10.2.0.0'];
    expect(allowed.filter((address) => !rules.allows(address))).toEqual([]);
    expect(refused.filter((address) => rules.allows(address))).toEqual([]);
  });

  it.each(['', '10.0.0.0/', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/8', 'fd00::/129', 'example.com', '10.0.0.0/1.5'])(
    '%j is not a network',
    (network) => {
      expect(() => createAddressRules({ allowLoopback: false, allowNetworks: [network] })).toThrow(InvalidNetworkError);
    },
  );
});
