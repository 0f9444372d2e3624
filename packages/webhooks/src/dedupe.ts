import { checkFunction, checkOption } from './option-checks.ts';
import { checkWhole } from './whole.ts';

/**
 * The result of a claim. `new`: the delivery is new. `done`: its handlers have finished. `busy`: its handlers are
 * running.
 */
export type ClaimResult = 'new' | 'done' | 'busy';

/** The claim of one attempt to handle a delivery. */
export interface DedupeClaim {
  /**
   * A token that is unique to this attempt. If another attempt has taken over the claim, `commit` and `release` with
   * the old token must change nothing.
   */
  token: string;
  /**
   * The time after which the claim ends if neither `commit` nor `release` is called, for example because the process
   * died.
   */
  leaseSeconds: number;
  /** How long the store must remember a finished delivery, in seconds. */
  lifetimeSeconds: number;
}

/**
 * A store that remembers which deliveries were handled. If several processes handle deliveries, they must share one
 * store. {@link memoryDedupe} creates a store in memory, for one process. The guide "Run handlers once" has stores for
 * Redis and SQL.
 */
export interface DedupeStore {
  /**
   * Claims the delivery, unless the delivery is done or another attempt has claimed it. The claim must be one atomic
   * step, because two copies of a delivery may arrive at the same time. If the result is not a {@link ClaimResult},
   * `onError` is called with a `TypeError`, and the response is 500.
   */
  claim(id: string, claim: DedupeClaim): ClaimResult | PromiseLike<ClaimResult>;
  /**
   * Called after the handlers have finished. The store must remember for `lifetimeSeconds` that the delivery is done.
   */
  commit(id: string, claim: DedupeClaim): unknown;
  /** Called after a handler threw. The store must remove the claim, so that the next attempt can run. */
  release(id: string, claim: DedupeClaim): unknown;
}

/** How deliveries are deduplicated. */
export interface DedupeOptions {
  /** The store that remembers deliveries. By default, deliveries are not deduplicated. */
  dedupe?: DedupeStore | undefined;
  /**
   * How long the store remembers a finished delivery, in seconds. The minimum is 600. The default is 96 hours, because
   * the service retries a delivery, with the same id, for 77 h 35 min.
   */
  dedupeLifetimeSeconds?: number | undefined;
  /**
   * How long handlers may run before another attempt may start, in seconds. The default is 240 seconds. So if the
   * process crashes during an attempt, the attempt's claim expires before the first retry arrives, 5 minutes later.
   */
  dedupeLeaseSeconds?: number | undefined;
}

/** A function that keeps the process alive for work that continues after the response. */
export type Defer = (work: Promise<void>) => void;

/**
 * Runs `act` once for each delivery `id`. If `act` throws, the claim is released, so that a retry can run `act` again.
 * With `defer`, the function returns as soon as the delivery is claimed, and passes the remaining work to `defer`.
 */
export type Once = (
  id: string,
  act: () => Promise<void>,
  defer?: Defer,
) => Promise<'handled' | 'accepted' | 'duplicate' | 'busy'>;

/** Checks the options, and creates the function that deduplicates deliveries. */
export function createOnce(options: DedupeOptions): Once {
  const { dedupe, dedupeLifetimeSeconds: lifetimeSeconds = 345_600, dedupeLeaseSeconds: leaseSeconds = 240 } = options;
  // A message stays valid for 600 s. Copies of the message may arrive during these 600 s, so remember the delivery for
  // at least as long.
  checkWhole('dedupeLifetimeSeconds', lifetimeSeconds, 600);
  checkWhole('dedupeLeaseSeconds', leaseSeconds);
  if (dedupe) for (const act of ['claim', 'commit', 'release'] as const) checkFunction(`dedupe.${act}`, dedupe[act]);
  return async (id, act, defer) => {
    let run = act;
    if (dedupe) {
      const claim = { token: `${crypto.getRandomValues(new Uint8Array(16))}`, leaseSeconds, lifetimeSeconds };
      const result = await dedupe.claim(id, claim);
      if (result === 'busy') return result;
      if (result === 'done') return 'duplicate';
      // Reject other results, such as `true` or 'OK', because they do not say whether the delivery is new.
      checkOption(result === 'new', `claim must return new, done or busy, not ${result}`);
      run = async () => {
        try {
          await act();
        } catch (error) {
          try {
            await dedupe.release(id, claim);
          } catch {
            // Ignore the store's error, because the claim ends automatically, and the handler's error matters more.
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
