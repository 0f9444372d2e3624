import type { Instant } from '../runtime/clock.ts';
import { nextAttemptAt, type RetrySchedule } from './retry-schedule.ts';

/** Where an attempt leaves its delivery (service document, "Webhook delivery status"). */
export type DeliveryTransition =
  | { status: 'success'; deliveredAt: Instant }
  | { status: 'pending'; nextAttemptAt: Instant }
  | { status: 'failed' };

/** What of an attempt moves the delivery. */
export interface EndedAttempt {
  /** Whether a 2xx came back in time. */
  succeeded: boolean;
  /** 1 for the first attempt. */
  number: number;
  endedAt: Instant;
}

/** A 2xx ends a delivery well; anything else is tried again until the schedule is used up. */
export function transitionAfter(attempt: EndedAttempt, schedule?: RetrySchedule): DeliveryTransition {
  if (attempt.succeeded) return { status: 'success', deliveredAt: attempt.endedAt };
  const next = nextAttemptAt(attempt.number, attempt.endedAt, schedule);
  return next === undefined ? { status: 'failed' } : { status: 'pending', nextAttemptAt: next };
}
