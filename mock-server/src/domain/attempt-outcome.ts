/**
 * The outcomes for logs and metrics. `domain/retry-schedule.ts` decides every outcome except `late`. An attempt is
 * `late`, and does not count, if its node's session had ended, another node had already changed the delivery, or a
 * reset had deleted the delivery.
 */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
