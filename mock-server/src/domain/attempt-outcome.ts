/**
 * The outcomes for logs and metrics. `domain/retry-schedule.ts` decides every outcome except `late`. An attempt is
 * `late`, and does not count, if its node's session has ended, another node has already changed the delivery, or a
 * reset has deleted the delivery.
 */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
