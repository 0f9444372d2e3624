/**
 * The outcomes of an attempt. After `retry`, the delivery will be tried again. After `failed`, it will not. A `late`
 * attempt ended after the session of its node and does not count.
 */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

/** The outcome of an attempt. */
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
