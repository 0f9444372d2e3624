/**
 * The outcomes of an attempt. After `retry`, the delivery will be tried again. After `failed`, the delivery will not be
 * tried again. A `late` attempt ended after its node's session had ended, so the attempt does not count.
 * `delivery/sending/attempt.ts` decides which responses are a success.
 */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

/** The outcome of an attempt. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
