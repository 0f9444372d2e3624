import { RETRY_DELAYS_MS } from '@svc/contract';
import type { Instant } from './instant.ts';

/** The delays between the attempts of a delivery. */
export interface RetrySchedule {
  /**
   * The delay before the second attempt, and before each later attempt. A delay begins at the end of the previous
   * attempt.
   */
  delaysMs: readonly number[];
  /**
   * The maximum random time that is added to a delay, as a percentage of the delay. Jitter spreads out the retries of
   * many deliveries.
   */
  jitterPercent: number;
  /** Returns a random number between 0 and 1. */
  random(): number;
}

/** The documented schedule, without jitter (service document, "Retry schedule"). */
export const DOCUMENTED_SCHEDULE: RetrySchedule = { delaysMs: RETRY_DELAYS_MS, jitterPercent: 0, random: () => 0 };

/**
 * Returns when attempt `attemptsMade + 1` is due. `undefined` after the last attempt. The delay begins at the end of
 * the previous attempt.
 */
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

/**
 * After a 2xx response, a delivery ends as `success`. After any other result, the delivery gets its next attempt. After
 * the last attempt of the schedule, the delivery ends as `failed`.
 *
 * @param attempt.succeeded - Whether a 2xx response arrived within the time limit.
 */
export function transitionAfter(
  attempt: { succeeded: boolean; number: number; endedAt: Instant },
  schedule?: RetrySchedule,
): DeliveryTransition {
  if (attempt.succeeded) return { status: 'success' };
  const next = nextAttemptAt(attempt.number, attempt.endedAt, schedule);
  return next === undefined ? { status: 'failed' } : { status: 'pending', nextAttemptAt: next };
}
