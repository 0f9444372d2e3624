/** What a store says to a claim: nobody had this delivery, its handlers have finished, or they are running just now. */
export type ClaimResult = 'new' | 'done' | 'busy';

/** One attempt's hold on a delivery. */
export interface DedupeClaim {
  /** Unique to this attempt: `commit` and `release` of a claim that was lost in the meantime must change nothing. */
  token: string;
  /** How long the claim holds if neither `commit` nor `release` follows, because the process died. */
  leaseSeconds: number;
  /** How long a finished delivery is remembered. */
  lifetimeSeconds: number;
}

/**
 * Remembers which deliveries were handled, over all processes that share it. {@link memoryDedupe} is one;
 * the guide "Deduplicating deliveries" shows stores over Redis and SQL.
 */
export interface DedupeStore {
  /** Takes the delivery if nobody has it: in one atomic step, as two copies may come at once. */
  claim(id: string, claim: DedupeClaim): ClaimResult | PromiseLike<ClaimResult>;
  /** The handlers have finished: the delivery is done for its lifetime. */
  commit(id: string, claim: DedupeClaim): unknown;
  /** A handler threw: the next attempt gets through. */
  release(id: string, claim: DedupeClaim): unknown;
}

/** How deliveries are deduplicated. */
export interface DedupeOptions {
  /** Off unless given. */
  dedupe?: DedupeStore | undefined;
  /** How long a finished delivery is remembered: 96 hours unless given, as the service's own retries reuse the id for 77 h 35 min. At least 600. */
  dedupeLifetimeSeconds?: number | undefined;
  /** How long handlers may run before another attempt may be made: 240 unless given, less than the service waits before its first retry. */
  dedupeLeaseSeconds?: number | undefined;
}

/**
 * Runs `act` unless the delivery `id` was handled or is being handled. Where `act` throws, the claim is released, so that the retry gets through.
 */
export async function once(
  id: string,
  options: DedupeOptions,
  act: () => Promise<void>,
): Promise<'handled' | 'duplicate' | 'busy'> {
  const { dedupe, dedupeLifetimeSeconds = 345_600, dedupeLeaseSeconds = 240 } = options;
  const claim = dedupe && {
    token: crypto.randomUUID(),
    leaseSeconds: dedupeLeaseSeconds,
    lifetimeSeconds: dedupeLifetimeSeconds,
  };
  const result = claim ? await dedupe.claim(id, claim) : 'new';
  if (result !== 'new') return result === 'done' ? 'duplicate' : 'busy';
  try {
    await act();
  } catch (error) {
    try {
      if (claim) await dedupe.release(id, claim);
    } catch {
      // The lease ends by itself; what the handler threw is what people need to see.
    }
    throw error;
  }
  if (claim) await dedupe.commit(id, claim);
  return 'handled';
}
