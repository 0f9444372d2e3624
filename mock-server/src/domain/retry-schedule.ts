import { RETRY_DELAYS_MS } from '@svc/contract';
import type { Instant } from './instant.ts';

/** The delays between the attempts of a delivery. */
export interface RetrySchedule {
  /** The delays before the second and each later attempt, from the end of the previous one. */
  delaysMs: readonly number[];
  /** The largest random addition to a delay, in percent of it. Jitter spreads out the retries of many deliveries. */
  jitterPercent: number;
  /** From 0 to 1. */
  random(): number;
}

/** The documented schedule, exact to the millisecond (service document, "Retry schedule"). */
export const DOCUMENTED_SCHEDULE: RetrySchedule = { delaysMs: RETRY_DELAYS_MS, jitterPercent: 0, random: () => 0 };

/**
 * When attempt `attemptsMade + 1` is due, or `undefined` after the last one. The delay counts from the end of the
 * previous attempt.
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
