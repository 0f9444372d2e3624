/**
 * Waits longer than this are rounded up to whole minutes. A rounded wait is easier to read, and the clock still reaches
 * the due time.
 */
const MINUTE_MS = 60_000;

/**
 * The time until the next attempt is due, in milliseconds, rounded up. `undefined` if no attempt is planned, or if the
 * attempt is already due.
 */
export function timeToNextAttemptMs({
  nextAttemptAt,
  clock,
}: {
  nextAttemptAt: string | null;
  clock: { now: string };
}): number | undefined {
  const dueInMs = nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - Date.parse(clock.now);
  if (dueInMs <= 0) return undefined;
  const unitMs = dueInMs > MINUTE_MS ? MINUTE_MS : 1_000;
  return Math.ceil(dueInMs / unitMs) * unitMs;
}
