import { BlockList, isIP, isIPv4 } from 'node:net';

export interface AddressRules {
  /** Whether the server may connect to a literal address, without brackets. False for any other string. */
  allows(address: string): boolean;
  /** If true, host names other than `localhost` are rejected without a lookup. */
  onlyLoopback: boolean;
}

/** IPv4 blocks outside the public internet (IANA special-purpose registry), and Azure's public metadata address. */
const CLOSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

/** All IPv6 addresses outside `2000::/3` are blocked, too. */
const CLOSED_IPV6 = ['2001::/23', '2001:db8::/32', '3fff::/20'];

export class InvalidNetworkError extends Error {
  override readonly name = 'InvalidNetworkError';
}

/**
 * By default, allows only public addresses. An IPv6 address that contains an IPv4 address (mapped, NAT64, 6to4) is
 * treated as that IPv4 address.
 *
 * @param opened.allowNetworks - CIDR blocks or single addresses to allow.
 * @throws {@link InvalidNetworkError} if an entry of `allowNetworks` is neither a CIDR block nor an address.
 */
export function createAddressRules(opened: {
  allowLoopback: boolean;
  allowNetworks: readonly string[];
  allowPublic?: boolean | undefined;
}): AddressRules {
  const { allowLoopback, allowNetworks, allowPublic = true } = opened;
  const isOpen = createAddressSet([...(allowLoopback ? ['127.0.0.0/8', '::1'] : []), ...allowNetworks]);
  const closed = blockListOf([...CLOSED_IPV4, ...CLOSED_IPV6]);
  const globalUnicast = blockListOf(['2000::/3']);

  return {
    onlyLoopback: !allowPublic && allowNetworks.length === 0,
    allows(address) {
      // A scope id names an interface of this machine, so the address is not public.
      if (isIP(address) === 0 || address.includes('%')) return false;
      if (isOpen(address)) return true;
      if (!allowPublic) return false;
      const carried = isIPv4(address) ? address : carriedIPv4(address);
      return carried === undefined ? has(globalUnicast, address) && !has(closed, address) : !has(closed, carried);
    },
  };
}

/**
 * Also tests the IPv4 address inside an IPv6 address.
 *
 * @throws {@link InvalidNetworkError} if an entry is neither a CIDR block nor an address.
 */
export function createAddressSet(networks: readonly string[]): (address: string) => boolean {
  const list = blockListOf(networks);
  return (address) => {
    if (isIP(address) === 0) return false;
    if (has(list, address)) return true;
    const carried = isIP(address) === 6 ? carriedIPv4(address) : undefined;
    return carried !== undefined && has(list, carried);
  };
}

const has = (list: BlockList, address: string) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');

/** Returns the normalized address without brackets. `undefined` for a host name. */
export function literalAddressOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', length, ...rest] = network.split('/');
    const family = isIP(address);
    const bitsMax = family === 4 ? 32 : 128;
    const bits = length === undefined ? bitsMax : Number(length);
    const isLength = length !== '' && Number.isInteger(bits) && bits >= 0 && bits <= bitsMax;
    if (family === 0 || rest.length > 0 || !isLength) {
      throw new InvalidNetworkError(`"${network}" is not a network. Write a network like 10.0.0.0/8 or fd00::/8.`);
    }
    list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}

/** Mapped (RFC 4291), NAT64 (RFC 6052) or 6to4 (RFC 3056). */
function carriedIPv4(address: string): string | undefined {
  const groups = groupsOf(address);
  const at = (index: number) => [(groups[index] ?? 0) >> 8, (groups[index] ?? 0) & 0xff];
  const startsWith = (...prefix: number[]) => prefix.every((group, index) => groups[index] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0x64, 0xff9b, 0, 0, 0, 0)) return [...at(6), ...at(7)].join('.');
  if (startsWith(0x2002)) return [...at(1), ...at(2)].join('.');
  return undefined;
}

/** Uses the URL parser to normalize the address. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const parse = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)));
  const before = parse(head);
  const after = tail === undefined ? [] : parse(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}
