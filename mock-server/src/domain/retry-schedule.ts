import { RETRY_DELAYS_MS } from '@svc/contract';
import type { Instant } from './instant.ts';

/** The delays between the attempts of a delivery. */
export interface RetrySchedule {
  /** The delays before the second and each later attempt. A delay begins at the end of the previous attempt. */
  delaysMs: readonly number[];
  /**
   * The maximum random addition to a delay, in percent of the delay. Jitter spreads out the retries of many deliveries.
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
