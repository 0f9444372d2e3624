import { BlockList, isIP, isIPv4 } from 'node:net';

export interface AddressRules {
  /** Whether the server may connect to a literal address (without brackets). False for any other string. */
  allows(address: string): boolean;
  /** If true, host names other than `localhost` are rejected without a lookup. */
  onlyLoopback: boolean;
}

/** Networks outside the public internet (IANA special-purpose registry), and Azure's public metadata address. */
const CLOSED = [
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
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
];

/** The assigned blocks, which include all IPv4 addresses. Addresses outside these blocks are blocked, too. */
const ASSIGNED = ['0.0.0.0/0', '2000::/3'];

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
  const isClosed = createAddressSet(CLOSED);
  const isAssigned = createAddressSet(ASSIGNED);

  return {
    onlyLoopback: !allowPublic && allowNetworks.length === 0,
    // A scope id names an interface of this machine, so the address is not public.
    allows: (address) =>
      !address.includes('%') && (isOpen(address) || (allowPublic && isAssigned(address) && !isClosed(address))),
  };
}

/**
 * Returns a function that tests whether a string is an address in `networks`, or an IPv6 address that embeds one.
 *
 * @throws {@link InvalidNetworkError} if an entry is neither a CIDR block nor an address.
 */
export function createAddressSet(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) addNetwork(list, network);
  return (address) => isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

/** Returns the normalized address without brackets, or `undefined` for a host name. */
export function literalAddressOf(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', length, ...rest] = network.split('/');
  const family = isIP(address);
  const bitsMax = family === 4 ? 32 : 128;
  const bits = length === undefined ? bitsMax : Number(length);
  const isLength = length !== '' && Number.isInteger(bits) && bits >= 0 && bits <= bitsMax;
  if (family === 0 || rest.length > 0 || !isLength) {
    throw new InvalidNetworkError(`"${network}" is not a network. Write a network like 10.0.0.0/8 or fd00::/8.`);
  }
  list.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6');
  if (family === 6) return;
  // Also add the NAT64 (RFC 6052) and 6to4 (RFC 3056) forms. `BlockList` itself covers only the mapped form (RFC 4291).
  const hex = Buffer.from(address.split('.').map(Number)).toString('hex');
  list.addSubnet(`64:ff9b::${address}`, 96 + bits, 'ipv6');
  list.addSubnet(`2002:${hex.slice(0, 4)}:${hex.slice(4)}::`, 16 + bits, 'ipv6');
}
