import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { askInRotation } from './ask-in-rotation.ts';
import { askNameServers } from './ask-name-servers.ts';

export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

/** Thrown if a name has no address or too many addresses, or if no name server could look the name up in time. */
export class UnresolvedNameError extends Error {
  override readonly name = 'UnresolvedNameError';
}

export interface NameResolverOptions {
  timeoutMs: number;
  /** The name servers, with ports. Default: the system's name servers. */
  servers?: readonly string[];
  /** Default: the system's hosts file. */
  hostsFile?: string;
  /** The system's lookup, for names that no name server knows. */
  askSystem?: ResolveName;
}

/** A tenant's name server can return thousands of addresses, and each address must be checked. */
const ADDRESSES_MAX = 64;

/**
 * Looks a name up in the hosts file, then with the name servers. The last resort is the system's lookup
 * (`getaddrinfo`), for names in search domains or multicast DNS, and for names with too many addresses for a small
 * response. System lookups wait in a queue: each lookup occupies one of the process's few threads and cannot be
 * stopped, so a few names with silent name servers could delay all other lookups.
 */
export function createNameResolver(options: NameResolverOptions): ResolveName {
  const { timeoutMs, servers, askSystem = (hostname) => lookup(hostname, { all: true }) } = options;
  const findInHosts = createHostsFile(options.hostsFile);
  const askSystemInRotation = askInRotation(askSystem, timeoutMs);

  async function find(given: string): Promise<LookupAddress[]> {
    const hostname = given.toLowerCase().replace(/\.$/, '');
    const inHosts = await findInHosts(hostname);
    if (inHosts.length > 0) return inHosts;
    if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
    const { addresses, haveFailed, areTooMany } = await askNameServers(given, timeoutMs, servers);
    if (addresses.length > 0 && !areTooMany) return addresses;
    // The system's lookup would wait for the same name servers again.
    if (haveFailed && !areTooMany) throw new UnresolvedNameError(`no name server could look up ${given}.`);
    try {
      return await askSystemInRotation(given);
    } catch (error) {
      if (addresses.length > 0) return addresses;
      throw new UnresolvedNameError(`${given} has no address.`, { cause: error });
    }
  }

  async function findFew(hostname: string): Promise<LookupAddress[]> {
    const addresses = await find(hostname);
    if (addresses.length <= ADDRESSES_MAX) return addresses;
    throw new UnresolvedNameError(`${hostname} has more than ${ADDRESSES_MAX} addresses.`);
  }

  const running = new Map<string, Promise<LookupAddress[]>>();
  // Hundreds of connections to the same host may open at once. They share one lookup.
  return (hostname) => {
    const known = running.get(hostname);
    if (known) return known;
    const lookingUp = findFew(hostname).finally(() => running.delete(hostname));
    running.set(hostname, lookingUp);
    return lookingUp;
  };
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

/** If the file cannot be read, uses the names that were read last. */
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
