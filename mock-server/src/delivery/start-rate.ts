/**
 * How far ahead deliveries are read. It is a fraction of the time that they stay fresh: attempts of a lane tend to end
 * together, and then nothing starts until they do.
 */
const PERIOD_MS = 200;

/** How many attempts a lane has started lately. Times are the process's monotonic clock. */
export interface StartRate {
  /** When the present period began. */
  since: number;
  /** Starts in the present period. */
  starts: number;
  /** Starts in the period before it. */
  before: number;
}

/** The rate of a lane that has started nothing yet. */
export const noStarts = (now: number): StartRate => ({ since: now, starts: 0, before: 0 });

/** Counts one start. */
export function countStart(rate: StartRate, now: number): void {
  roll(rate, now);
  rate.starts++;
}

/** How many deliveries to keep ready for a lane at its present rate: what it starts in half a period. */
export function startsSoon(rate: StartRate, now: number): number {
  roll(rate, now);
  return Math.ceil(Math.max(rate.starts, rate.before) / 2);
}

function roll(rate: StartRate, now: number): void {
  const elapsed = now - rate.since;
  if (elapsed < PERIOD_MS) return;
  rate.before = elapsed < 2 * PERIOD_MS ? rate.starts : 0;
  rate.starts = 0;
  rate.since = now;
}
