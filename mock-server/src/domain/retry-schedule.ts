import { RETRY_DELAYS_MS } from '@svc/contract';
import type { Instant } from '../runtime/clock.ts';

/**
 * When attempt `attemptsMade + 1` may be made, or `undefined` once the schedule is used up (service document, "Retry
 * schedule"). Counted from the end of the attempt before.
 */
export function nextAttemptAt(attemptsMade: number, endedAt: Instant): Instant | undefined {
  const delayMs = RETRY_DELAYS_MS[attemptsMade - 1];
  return delayMs === undefined ? undefined : endedAt + delayMs;
}
