/** Node's thread pool runs at most two of its four threads for the system's lookups. */
const AT_ONCE_MAX = 2;

/** A lookup that waits for its turn. It never rejects. */
type LookUp = () => Promise<void>;

/**
 * Lets the system's lookups take turns: two at a time, of different domains, and each domain in turn. The name servers
 * of a domain decide how long its lookups take. So the names of a domain wait for each other, and a name of another
 * domain waits for at most one of them.
 *
 * Calls for the same name share the result. A call that has waited too long is dropped.
 */
export function askInTurn<Found>(
  ask: (hostname: string) => Promise<Found>,
  timeoutMs: number,
): (hostname: string) => Promise<Found> {
  const asked = new Map<string, Promise<Found>>();
  /** The lookups of each domain. The domain that comes next is the first. */
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
    // A domain with lookups left goes to the end.
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

  return (hostname) => {
    const known = asked.get(hostname);
    if (known) return known;
    const result = enqueue(hostname).finally(() => asked.delete(hostname));
    asked.set(hostname, result);
    return result;
  };
}

/** The last two labels of a name. Hardly anybody controls the name servers of several such domains. */
const domainOf = (hostname: string): string => hostname.toLowerCase().split('.').filter(Boolean).slice(-2).join('.');
