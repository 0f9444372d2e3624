import type { DeliveryEngine } from '../delivery/engine.ts';
import type { Settled } from '../http/services.ts';
import type { Evaluator } from '../lifecycle/evaluator.ts';
import type { Clock } from '../runtime/clock.ts';

/** Work that somebody waits for. */
export interface Settleable {
  engine: Pick<DeliveryEngine, 'whenIdle' | 'status'>;
  evaluator: Pick<Evaluator, 'whenIdle' | 'countDue' | 'inFlight' | 'isDue' | 'nextDueAfter'>;
}

interface Work extends Settleable {
  clock: Clock;
  /** Whether this node evaluates. If not, nobody waits for evaluations, which other nodes may run. */
  evaluates: boolean;
}

/** Waits until nothing is due or in flight. Returns what is left when the time is over. */
export async function settle({ engine, evaluator, clock, evaluates }: Work, timeoutMs: number): Promise<Settled> {
  const signal = AbortSignal.timeout(timeoutMs);
  let settled: boolean;
  // An evaluation creates deliveries.
  do {
    settled = (!evaluates || (await evaluator.whenIdle(signal))) && (await engine.whenIdle(signal));
  } while (settled && evaluates && (await evaluator.isDue(clock.now())));
  const status = await engine.status();
  const [due, next] = await Promise.all([evaluator.countDue(), evaluator.nextDueAfter(clock.now())]);
  const dues = [status.nextDueAt, due > 0 ? clock.now() : next].filter((at) => at !== undefined);
  return {
    settled,
    pending: status.pending + Math.max(0, due - evaluator.inFlight()),
    inFlight: status.inFlight + evaluator.inFlight(),
    nextDueAt: dues.sort((a, b) => a - b)[0],
  };
}
