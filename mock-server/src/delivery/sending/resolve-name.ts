import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { askInTurn } from './ask-in-turn.ts';

/** Finds all addresses of a host name. Rejects with an {@link UnresolvedNameError} if the name has no address. */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

/** Thrown if a name has no address, or no name server responded in time. */
export class UnresolvedNameError extends Error {
  override readonly name = 'UnresolvedNameError';
}

/** Options for looking names up. */
export interface NameResolverOptions {
  /** The time limit for a response from the name servers. */
  timeoutMs: number;
  /** The name servers, with ports. Default: the system's name servers. */
  servers?: readonly string[];
  /** The path of the hosts file. Default: the system's hosts file. */
  hostsFile?: string;
  /** The system's lookup, for names that no name server knows. */
  askSystem?: ResolveName;
}

/** The time limit for the first query to a name server. Each retry doubles the time limit. */
const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 3;

/**
 * The maximum number of addresses of a name. A receiver's name has only a few addresses. But a tenant's name server can
 * return thousands of addresses, and the server would check each address.
 */
const ADDRESSES_MAX = 64;
/**
 * How long a name with too many addresses is rejected without another query. Parsing a response with thousands of
 * addresses blocks the process for 26 ms.
 */
const REJECTED_FOR_MS = 60_000;
const REJECTED_NAMES_MAX = 10_000;

/**
 * If a query fails with one of these codes, the system's lookup is not tried. That lookup would only wait for the same
 * name servers again.
 */
const SERVERS_FAIL = new Set(['ETIMEOUT', 'ECANCELLED', 'ESERVFAIL']);

/**
 * Looks a name up in the hosts file, then with the name servers. Each query to the name servers uses separate sockets.
 * The system's lookup (`getaddrinfo`) is the last resort, for names that only the system knows, such as search domains
 * and multicast DNS. System lookups wait in a queue, because each lookup occupies one of the process's few threads and
 * cannot be stopped. Without the queue, a few names with silent name servers could delay the lookups of all other
 * names.
 */
export function createNameResolver(options: NameResolverOptions): ResolveName {
  const { timeoutMs, servers, askSystem = (hostname) => lookup(hostname, { all: true }) } = options;
  const findInHosts = createHostsFile(options.hostsFile);
  const askSystemInTurn = askInTurn(askSystem, timeoutMs);

  async function find(given: string): Promise<LookupAddress[]> {
    const hostname = given.toLowerCase().replace(/\.$/, '');
    const inHosts = await findInHosts(hostname);
    if (inHosts.length > 0) return inHosts;
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const { addresses, codes } = await askServers(given, timeoutMs, servers);
    if (addresses.length > 0) return addresses;
    if (codes.some((code) => SERVERS_FAIL.has(code))) throw new UnresolvedNameError(`${given}: ${codes.join(', ')}`);
    try {
      return await askSystemInTurn(given);
    } catch (error) {
      throw new UnresolvedNameError(`${given} has no address.`, { cause: error });
    }
  }

  return rejectManyAddresses(find);
}

/**
 * Rejects names with more than {@link ADDRESSES_MAX} addresses. Keeps such a name in a list for a while, to reject the
 * name without another query.
 */
function rejectManyAddresses(find: ResolveName): ResolveName {
  /** For each rejected name, the time when the name may be looked up again. The oldest entry is first. */
  const rejected = new Map<string, number>();

  return async (hostname) => {
    const tooMany = () => new UnresolvedNameError(`${hostname} has more than ${ADDRESSES_MAX} addresses.`);
    if ((rejected.get(hostname) ?? 0) > performance.now()) throw tooMany();
    const addresses = await find(hostname);
    if (addresses.length <= ADDRESSES_MAX) return addresses;
    rejected.delete(hostname);
    rejected.set(hostname, performance.now() + REJECTED_FOR_MS);
    const [oldest] = rejected.keys();
    if (rejected.size > REJECTED_NAMES_MAX && oldest !== undefined) rejected.delete(oldest);
    throw tooMany();
  };
}

/** The addresses of `localhost` and of names that end in `.localhost` (RFC 6761, section 6.3). */
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Queries the name servers. Uses a new resolver for each query, so that each query can be cancelled separately and uses
 * the system's current name servers.
 */
async function askServers(hostname: string, timeoutMs: number, servers: readonly string[] | undefined) {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
  const responses = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(deadline);
  const addresses: LookupAddress[] = [];
  const codes: string[] = [];
  for (const [index, response] of responses.entries()) {
    const family = index === 0 ? 4 : 6;
    if (response.status === 'rejected') codes.push(response.reason.code);
    else addresses.push(...response.value.map((address) => ({ address, family })));
  }
  return { addresses, codes };
}

const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/**
 * Looks names up in the system's hosts file. Reads the file again after a change. An unreadable file counts as empty.
 */
function createHostsFile(path = HOSTS_FILE): (hostname: string) => Promise<LookupAddress[]> {
  let version = '';
  let known: ReadonlyMap<string, LookupAddress[]> = new Map();

  async function refresh(): Promise<void> {
    const { mtimeMs, size } = await stat(path);
    const present = `${mtimeMs} ${size}`;
    if (present === version) return;
    known = parseHosts(await readFile(path, 'utf8'));
    version = present;
  }

  return async (hostname) => {
    await refresh().catch(() => {});
    return known.get(hostname) ?? [];
  };
}

/** Parses the lines of a hosts file. Each line contains an address, followed by its names. */
function parseHosts(text: string): Map<string, LookupAddress[]> {
  const addresses = new Map<string, LookupAddress[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      addresses.set(key, [...(addresses.get(key) ?? []), { address, family }]);
    }
  }
  return addresses;
}
