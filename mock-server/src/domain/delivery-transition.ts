import type { Instant } from './instant.ts';
import { nextAttemptAt, type RetrySchedule } from './retry-schedule.ts';

/** The state of a delivery after an attempt (service document, "Webhook delivery status"). */
export type DeliveryTransition =
  | { status: 'success' }
  | { status: 'pending'; nextAttemptAt: Instant }
  | { status: 'failed' };

/** The facts about an attempt that decide the delivery's new state. */
export interface EndedAttempt {
  /** Whether a 2xx response arrived within the time limit. */
  succeeded: boolean;
  /** The number of the attempt. The first attempt is 1. */
  number: number;
  endedAt: Instant;
}

/**
 * After a 2xx response, a delivery ends as `success`. After any other result, the delivery is retried until the retry
 * schedule ends.
 */
export function transitionAfter(attempt: EndedAttempt, schedule?: RetrySchedule): DeliveryTransition {
  if (attempt.succeeded) return { status: 'success' };
  const next = nextAttemptAt(attempt.number, attempt.endedAt, schedule);
  return next === undefined ? { status: 'failed' } : { status: 'pending', nextAttemptAt: next };
}
