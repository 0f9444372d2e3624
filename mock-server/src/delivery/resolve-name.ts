import type { LookupAddress } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { createHostsFile } from './hosts-file.ts';

/** Finds all addresses of a name: at least one. Rejects with an {@link UnresolvedNameError} where there is none. */
export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

/** A name has no address, or nobody told it in time. */
export class UnresolvedNameError extends Error {
  override readonly name = 'UnresolvedNameError';
}

/** How names are found. */
export interface NameResolverOptions {
  /** After this time nobody waits for an answer any more. */
  timeoutMs: number;
  /** Name servers, with their ports, instead of the system's. */
  servers?: readonly string[];
  /** Instead of the system's. */
  hostsFile?: string;
  /** The system's own look-up, for names that no name server knows. */
  askSystem?: ResolveName;
}

/** The first wait for a name server; each one after it is twice as long. */
const QUERY_TIMEOUT_MS = 1_500;
const QUERY_TRIES = 3;

/** Failures after which another question for the same name would wait for the same servers. */
const SERVERS_FAIL = new Set(['ETIMEOUT', 'ECANCELLED', 'ESERVFAIL']);

/**
 * Finds names in the hosts file, else by asking the name servers over sockets of its own, each question by itself. The
 * system's look-up (`getaddrinfo`) occupies one of the few threads of a process until it ends, and cannot be cut off:
 * a few names whose servers are silent would hold up all others. It is asked last, one name at a time, for what only it
 * knows: search domains, multicast DNS, and whatever else the system is configured for.
 */
export function createNameResolver(options: NameResolverOptions): ResolveName {
  const { timeoutMs, servers, askSystem = (hostname) => lookup(hostname, { all: true }) } = options;
  const findInHosts = createHostsFile(options.hostsFile);
  const askSystemInTurn = oneAtATime(askSystem, timeoutMs);

  return async (given) => {
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
  };
}

/** RFC 6761, section 6.3. */
const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** A resolver for each question: it can be cut off by itself, and knows the servers that the system names now. */
async function askServers(hostname: string, timeoutMs: number, servers: readonly string[] | undefined) {
  const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
  if (servers) resolver.setServers(servers);
  const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(deadline);
  const addresses: LookupAddress[] = [];
  const codes: string[] = [];
  for (const [index, answer] of answers.entries()) {
    const family = index === 0 ? 4 : 6;
    if (answer.status === 'rejected') codes.push(answer.reason.code);
    else addresses.push(...answer.value.map((address) => ({ address, family })));
  }
  return { addresses, codes };
}

/** Asks for one name at a time; those who ask for the same one share the answer. Whoever has waited too long is not asked for. */
function oneAtATime(ask: ResolveName, timeoutMs: number): ResolveName {
  const asked = new Map<string, Promise<LookupAddress[]>>();
  let last: Promise<unknown> = Promise.resolve();
  return (hostname) => {
    const known = asked.get(hostname);
    if (known) return known;
    const giveUpAt = performance.now() + timeoutMs;
    const answer = last
      .then(() => {
        if (performance.now() > giveUpAt) throw new UnresolvedNameError(`The system was not asked for ${hostname}.`);
        return ask(hostname);
      })
      .finally(() => asked.delete(hostname));
    asked.set(hostname, answer);
    last = answer.catch(() => {});
    return answer;
  };
}
