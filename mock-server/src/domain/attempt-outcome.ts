/**
 * The outcomes of an attempt. After `retry`, another attempt follows. After `failed`, no attempt follows. A `late`
 * attempt does not count, because its result came too late: its node's session had already ended, or another node had
 * already moved the delivery in the queue. `delivery/sending/attempt.ts` decides which responses are a success.
 */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
