import { getServers, type LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { open } from 'node:fs/promises';
import { isIP } from 'node:net';
import { createQuota } from '../runtime/quota.ts';
import { SHORTAGES } from './shortages.ts';

export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

/** Thrown if a name has no address or too many addresses, or if no name server could look the name up in time. */
export class UnresolvedNameError extends Error {
  override readonly name = 'UnresolvedNameError';
}

export interface NameResolverOptions {
  timeoutMs: number;
  /** The name servers, with ports. Default: the system's name servers. */
  servers?: readonly string[];
  /** The path of the hosts file. Default: the system's hosts file. */
  hostsFile?: string;
  /** The system's lookup, for names that no name server knows. */
  askSystem?: ResolveName;
}

/** A tenant's name server can return thousands of addresses, and each address must be checked. */
const ADDRESSES_MAX = 64;

/**
 * Looks up a name in the hosts file, then with the name servers. The last resort is the system's lookup
 * (`getaddrinfo`), for names in search domains or multicast DNS. System lookups wait in a queue: each lookup occupies
 * one of the process's few threads and cannot be stopped, so a few names with silent name servers could delay all other
 * lookups. Results are not cached.
 */
export function createNameResolver(options: NameResolverOptions): ResolveName {
  const { timeoutMs, servers, askSystem = (hostname) => lookup(hostname, { all: true }) } = options;
  const findInHosts = createHostsFile(options.hostsFile);
  const quotaOfDomain = createQuota(SYSTEM_QUOTA);

  async function askSystemInTime(hostname: string): Promise<LookupAddress[]> {
    const giveUpAt = performance.now() + timeoutMs;
    return await quotaOfDomain(domainOf(hostname), async () => {
      if (performance.now() > giveUpAt) throw new Error(`The lookup of ${hostname} did not start in time.`);
      return await askSystem(hostname);
    });
  }

  async function find(given: string): Promise<LookupAddress[]> {
    const hostname = given.toLowerCase().replace(/\.$/, '');
    const inHosts = await findInHosts(hostname);
    if (inHosts.length > 0) return inHosts;
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const { addresses, haveFailed } = await askNameServers(given, timeoutMs, servers);
    if (addresses.length > 0) return addresses;
    // The system's lookup would wait for the same name servers again.
    if (haveFailed) throw new UnresolvedNameError(`no name server could look up ${given}.`);
    try {
      return await askSystemInTime(given);
    } catch (error) {
      throw new UnresolvedNameError(`${given} has no address.`, { cause: error });
    }
  }

  async function findFew(hostname: string): Promise<LookupAddress[]> {
    const addresses = await find(hostname);
    if (addresses.length <= ADDRESSES_MAX) return addresses;
    throw new UnresolvedNameError(`${hostname} has more than ${ADDRESSES_MAX} addresses.`);
  }

  const running = new Map<string, Promise<LookupAddress[]>>();
  // Hundreds of connections to the same host may open at once. These connections share one lookup.
  return (hostname) => {
    const known = running.get(hostname);
    if (known) return known;
    const lookingUp = findFew(hostname).finally(() => running.delete(hostname));
    running.set(hostname, lookingUp);
    return lookingUp;
  };
}

/**
 * Node uses at most two of the four threads in its pool for system lookups. The two lookups are for names in different
 * domains, so slow name servers of one domain delay a lookup in another domain by at most the time of one lookup.
 */
const SYSTEM_QUOTA = { atOnceMax: 1, totalMax: 2 };

/** An attacker can use any number of names in one domain, but rarely controls the name servers of many domains. */
const domainOf = (hostname: string): string => hostname.toLowerCase().split('.').filter(Boolean).slice(-2).join('.');

/** How long each name server may take to respond, in the first, second and third round of queries. */
const QUERY_TIMEOUTS_MS = [1_500, 3_000, 6_000];
/** Error codes for a name that does not exist, or that has no address of the requested family (IPv4 or IPv6). */
const NONE = new Set<unknown>(['ENOTFOUND', 'ENODATA']);
/** Error codes for a name server that did not respond in time, or that reported that its own lookup failed. */
const FAILURES = new Set<unknown>(['ECANCELLED', 'ETIMEOUT', 'ESERVFAIL']);

/**
 * Asks the servers one after another. A resolver with several servers would accept the first response, even if the
 * response is an error.
 *
 * @param servers - IP addresses, each with its port if the port is not 53.
 */
async function askNameServers(hostname: string, timeoutMs: number, servers: readonly string[] = getServers()) {
  const giveUpAt = performance.now() + timeoutMs;
  let haveFailed = false;
  for (const [server, queryTimeoutMs] of QUERY_TIMEOUTS_MS.flatMap((ms) => servers.map((one) => [one, ms] as const))) {
    const leftMs = giveUpAt - performance.now();
    if (leftMs <= 0) break;
    // A new resolver uses a new port, which makes forged responses unlikely.
    const resolver = new Resolver({ tries: 1, timeout: queryTimeoutMs });
    resolver.setServers([server]);
    const deadline = setTimeout(() => resolver.cancel(), Math.min(leftMs, queryTimeoutMs));
    const results = await Promise.allSettled([
      resolver.resolve4(hostname).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(hostname).then((found) => found.map((address) => ({ address, family: 6 }))),
    ]);
    clearTimeout(deadline);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : undefined));
    haveFailed = codes.some((code) => FAILURES.has(code));
    if (addresses.length > 0 || codes.every((code) => NONE.has(code))) return { addresses, haveFailed: false };
  }
  return { addresses: [], haveFailed };
}

/** The addresses of `localhost` (RFC 6761, section 6.3). */
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const HOSTS_FILE =
  process.platform === 'win32'
    ? `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\drivers\\etc\\hosts`
    : '/etc/hosts';

/** If the file cannot be read, uses the names from the last read. Throws if this machine has run out of a resource. */
function createHostsFile(path = HOSTS_FILE): (hostname: string) => Promise<LookupAddress[]> {
  let version = '';
  let known: ReadonlyMap<string, LookupAddress[]> = new Map();

  async function refresh(): Promise<void> {
    await using file = await open(path);
    const { mtimeMs, size } = await file.stat();
    const present = `${mtimeMs} ${size}`;
    if (present === version) return;
    known = parseHosts(await file.readFile('utf8'));
    version = present;
  }

  return async (hostname) => {
    await refresh().catch((error: NodeJS.ErrnoException) => {
      // Report the shortage here, because the other lookups would not report it.
      if (SHORTAGES.has(error.code ?? '')) throw error;
    });
    return known.get(hostname) ?? [];
  };
}

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
