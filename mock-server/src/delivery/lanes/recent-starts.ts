/*
 * Counts a lane's recently started attempts. The count determines how many of the lane's deliveries are read ahead.
 */

/**
 * Attempts that end together free their slots together, so a lane starts attempts in bursts. With a longer period, more
 * deliveries would be read ahead, but ready deliveries must start before they become stale (`READY_MS`).
 */
const PERIOD_MS = 200;

export interface RecentStarts {
  since: number;
  starts: number;
  /** The number of starts in the previous period. */
  before: number;
}

export const noStarts = (now: number): RecentStarts => ({ since: now, starts: 0, before: 0 });

export function countStart(rate: RecentStarts, now: number): void {
  roll(rate, now);
  rate.starts++;
}

/** Returns how many deliveries to keep ready: the number of attempts that the lane starts in half a period. */
export function startsSoon(rate: RecentStarts, now: number): number {
  roll(rate, now);
  return Math.ceil(Math.max(rate.starts, rate.before) / 2);
}

function roll(rate: RecentStarts, now: number): void {
  const elapsed = now - rate.since;
  if (elapsed < PERIOD_MS) return;
  rate.before = elapsed < 2 * PERIOD_MS ? rate.starts : 0;
  rate.starts = 0;
  rate.since = now;
}
