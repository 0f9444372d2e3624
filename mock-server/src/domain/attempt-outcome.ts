/** A `late` attempt does not count: its node's session had ended, or another node had already changed the delivery. */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
