/**
 * The outcomes for logs and metrics. `domain/retry-schedule.ts` decides all except `late`. A late attempt does not
 * count, because its node's session had ended, another node had already changed the delivery, or a reset had deleted
 * the delivery.
 */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
