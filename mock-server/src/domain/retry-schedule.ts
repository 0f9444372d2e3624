import { RETRY_DELAYS_MS } from '@svc/contract';
import type { Instant } from './instant.ts';

export interface RetrySchedule {
  /** The delays before the retries. Each delay begins at the end of the previous attempt. */
  delaysMs: readonly number[];
  /** The maximum random time to add to a delay, as a percentage of the delay. The random time spreads out retries. */
  jitterPercent: number;
  /** Returns a number between 0 and 1. */
  random(): number;
}

/** The documented schedule (service document, "Retry schedule"). */
export const DOCUMENTED_SCHEDULE: RetrySchedule = { delaysMs: RETRY_DELAYS_MS, jitterPercent: 0, random: () => 0 };

/** Returns when attempt `attemptsMade + 1` is due. `undefined` after the last attempt. */
export function nextAttemptAt(
  attemptsMade: number,
  endedAt: Instant,
  schedule: RetrySchedule = DOCUMENTED_SCHEDULE,
): Instant | undefined {
  const delayMs = schedule.delaysMs[attemptsMade - 1];
  if (delayMs === undefined) return undefined;
  return endedAt + delayMs + Math.round((delayMs * schedule.jitterPercent * schedule.random()) / 100);
}

/** The state of a delivery after an attempt (service document, "Webhook delivery status"). */
export type DeliveryTransition =
  | { status: 'success' }
  | { status: 'pending'; nextAttemptAt: Instant }
  | { status: 'failed' };

/** @param attempt.succeeded - Whether a 2xx response arrived in time. `delivery/sending/attempt.ts` decides this. */
export function transitionAfter(
  attempt: { succeeded: boolean; number: number; endedAt: Instant },
  schedule?: RetrySchedule,
): DeliveryTransition {
  if (attempt.succeeded) return { status: 'success' };
  const next = nextAttemptAt(attempt.number, attempt.endedAt, schedule);
  return next === undefined ? { status: 'failed' } : { status: 'pending', nextAttemptAt: next };
}
