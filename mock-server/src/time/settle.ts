import { type Clock, earliest, type Instant } from '../domain/instant.ts';
import type { DueWork } from './due-work.ts';

/** The delivery engine and the evaluator, with functions that report how much work is left. */
export interface Settleable {
  engine: DueWork & { status(): Promise<{ pending: number; inFlight: number; nextDueAt: Instant | undefined }> };
  evaluator: DueWork & { countDue(): Promise<number>; inFlight(): number; isDue(at: Instant): Promise<boolean> };
}

interface Work extends Settleable {
  clock: Clock;
  /** Whether a node runs evaluations. If false, `settle` does not wait for evaluations. */
  evaluates: boolean;
}

/**
 * Waits at most `timeoutMs` until no work is due or in flight, and returns the remaining work. Does not move the clock:
 * `timeline.ts` moves it.
 */
export async function settle({ engine, evaluator, clock, evaluates }: Work, timeoutMs: number) {
  const signal = AbortSignal.timeout(timeoutMs);
  let settled: boolean;
  // An evaluation creates deliveries, so repeat until no evaluations or deliveries are left.
  do {
    settled = (!evaluates || (await evaluator.whenIdle(signal))) && (await engine.whenIdle(signal));
  } while (settled && evaluates && (await evaluator.isDue(clock.now())));
  // Count evaluations first: if an evaluation ends before the deliveries are counted, its deliveries are included.
  const [due, next] = await Promise.all([evaluator.countDue(), evaluator.nextDueAfter(clock.now())]);
  const evaluating = evaluator.inFlight();
  const status = await engine.status();
  const pending = status.pending + Math.max(0, due - evaluating);
  const inFlight = status.inFlight + evaluating;
  return {
    // If a wait is short, it may end before its first check. So the work also counts as settled if no work is left.
    settled: settled || (pending === 0 && inFlight === 0),
    /** Due attempts and evaluations that are not in flight on this node. */
    pending,
    inFlight,
    nextDueAt: earliest(status.nextDueAt, due > 0 ? clock.now() : next),
  };
}
