/**
 * How far ahead to read deliveries. This is a fraction of the time for which they stay fresh. The attempts of a lane
 * tend to end together, and nothing starts until they do.
 */
const PERIOD_MS = 200;

/** How many attempts a lane has started lately. Times come from the process's monotonic clock. */
export interface StartRate {
  /** When the current period began. */
  since: number;
  /** Starts in the current period. */
  starts: number;
  /** Starts in the previous period. */
  before: number;
}

/** The rate of a lane that has started nothing yet. */
export const noStarts = (now: number): StartRate => ({ since: now, starts: 0, before: 0 });

/** Counts one start. */
export function countStart(rate: StartRate, now: number): void {
  roll(rate, now);
  rate.starts++;
}

/** How many deliveries to keep ready for a lane: as many as it starts in half a period at its current rate. */
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
