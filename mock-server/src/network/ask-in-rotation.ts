/** Node uses at most two of the four threads in its pool for lookups by the system. */
const AT_ONCE_MAX = 2;

/** Never rejects. */
type LookUp = () => Promise<void>;

/**
 * Runs at most two of the system's lookups at a time, each in a different domain. The domains alternate, so that a
 * domain with slow name servers delays a lookup in another domain by at most the time of one lookup. A lookup that has
 * waited longer than `timeoutMs` rejects.
 */
export function askInRotation<Found>(
  ask: (hostname: string) => Promise<Found>,
  timeoutMs: number,
): (hostname: string) => Promise<Found> {
  /** The waiting lookups of each domain. The domains come next in the order of this map. */
  const waiting = new Map<string, LookUp[]>();
  const busy = new Set<string>();

  function startNext(): void {
    for (const [domain, [next, ...others]] of waiting) {
      if (busy.size === AT_ONCE_MAX) return;
      if (next === undefined || busy.has(domain)) continue;
      waiting.set(domain, others);
      busy.add(domain);
      void next().then(() => ended(domain));
    }
  }

  function ended(domain: string): void {
    busy.delete(domain);
    const others = waiting.get(domain) ?? [];
    // A domain that still has waiting lookups moves to the end of the queue.
    waiting.delete(domain);
    if (others.length > 0) waiting.set(domain, others);
    startNext();
  }

  function enqueue(hostname: string): Promise<Found> {
    const giveUpAt = performance.now() + timeoutMs;
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const lookUp: LookUp = async () => {
      if (performance.now() > giveUpAt) {
        return reject(new Error(`The lookup of ${hostname} did not start in time.`));
      }
      await ask(hostname).then(resolve, reject);
    };
    const domain = domainOf(hostname);
    waiting.set(domain, [...(waiting.get(domain) ?? []), lookUp]);
    startNext();
    return promise;
  }

  return enqueue;
}

/** An attacker can use any number of names in one domain, but rarely controls the name servers of many domains. */
const domainOf = (hostname: string): string => hostname.toLowerCase().split('.').filter(Boolean).slice(-2).join('.');
