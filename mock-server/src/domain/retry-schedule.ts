import { RETRY_DELAYS_MS } from '@svc/contract';
import type { Instant } from '../runtime/clock.ts';

/** How long a delivery waits between its attempts. */
export interface RetrySchedule {
  /** Waits before the second attempt and the ones behind it, each from the end of the attempt before. */
  delaysMs: readonly number[];
  /** How much of a delay may be added at random, so that a fleet's retries spread out. */
  jitterPercent: number;
  /** From 0 to 1. */
  random(): number;
}

/** The documented schedule, to the millisecond (service document, "Retry schedule"). */
export const DOCUMENTED_SCHEDULE: RetrySchedule = { delaysMs: RETRY_DELAYS_MS, jitterPercent: 0, random: () => 0 };

/**
 * When attempt `attemptsMade + 1` may be made, or `undefined` once the schedule is used up. Counted from the end of the
 * attempt before.
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
