import { checkFunction, checkOption } from './option-checks.ts';
import { checkWhole } from './whole.ts';

/** The result of a claim: the delivery is new, its handlers have finished, or they are running. */
export type ClaimResult = 'new' | 'done' | 'busy';

/** One attempt's hold on a delivery. */
export interface DedupeClaim {
  /** Unique to this attempt. With the token of a lost claim, `commit` and `release` must change nothing. */
  token: string;
  /** How long the claim lasts if neither `commit` nor `release` follows, because the process died. */
  leaseSeconds: number;
  /** How long a finished delivery is remembered. */
  lifetimeSeconds: number;
}

/**
 * Remembers which deliveries were handled, in all processes that share it. {@link memoryDedupe} creates one. The guide
 * "Run handlers once" has stores for Redis and SQL.
 */
export interface DedupeStore {
  /**
   * Claims the delivery if it is free. This must be one atomic step, because two copies may arrive at once. After any
   * other result than a {@link ClaimResult}, `onError` gets a `TypeError`, and the response is 500.
   */
  claim(id: string, claim: DedupeClaim): ClaimResult | PromiseLike<ClaimResult>;
  /** Called after the handlers have finished. Remember the delivery as done for its lifetime. */
  commit(id: string, claim: DedupeClaim): unknown;
  /** Called after a handler threw. Remove the claim, so that the next attempt can run. */
  release(id: string, claim: DedupeClaim): unknown;
}

/** How deliveries are deduplicated. */
export interface DedupeOptions {
  /** Where to remember deliveries. By default, nothing is deduplicated. */
  dedupe?: DedupeStore | undefined;
  /** How long a finished delivery is remembered. At least 600. The default is 96 hours, because retries reuse the id for 77 h 35 min. */
  dedupeLifetimeSeconds?: number | undefined;
  /** How long handlers may run before another attempt may start. The default is 240, less than the service waits before its first retry. */
  dedupeLeaseSeconds?: number | undefined;
}

/** Takes over work that continues after the response. */
export type Defer = (work: Promise<void>) => void;

/**
 * Runs `act` once for each delivery `id`. If `act` throws, it releases the claim, so a retry can run it again. With `defer`,
 * it returns as soon as the delivery is claimed, and `defer` gets the rest.
 */
export type Once = (
  id: string,
  act: () => Promise<void>,
  defer?: Defer,
) => Promise<'handled' | 'accepted' | 'duplicate' | 'busy'>;

/** Checks the options, and creates the function that deduplicates. */
export function createOnce(options: DedupeOptions): Once {
  const { dedupe, dedupeLifetimeSeconds: lifetimeSeconds = 345_600, dedupeLeaseSeconds: leaseSeconds = 240 } = options;
  // A message stays valid for 600 s, so copies of it may arrive until then.
  checkWhole('dedupeLifetimeSeconds', lifetimeSeconds, 600);
  checkWhole('dedupeLeaseSeconds', leaseSeconds);
  if (dedupe) for (const act of ['claim', 'commit', 'release'] as const) checkFunction(`dedupe.${act}`, dedupe[act]);
  return async (id, act, defer) => {
    let run = act;
    if (dedupe) {
      const claim = { token: crypto.randomUUID(), leaseSeconds, lifetimeSeconds };
      const result = await dedupe.claim(id, claim);
      if (result === 'busy') return result;
      if (result === 'done') return 'duplicate';
      // Without this check, a store that returns `true` or 'OK' would look busy forever.
      checkOption(result === 'new', `claim must return new, done or busy, not ${result}`);
      run = async () => {
        try {
          await act();
        } catch (error) {
          try {
            await dedupe.release(id, claim);
          } catch {
            // Ignore the store's error. The lease ends automatically, and the handler's error matters more.
          }
          throw error;
        }
        await dedupe.commit(id, claim);
      };
    }
    const work = run();
    if (defer) {
      defer(work);
      return 'accepted';
    }
    await work;
    return 'handled';
  };
}
