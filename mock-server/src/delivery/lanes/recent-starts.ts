/*
 * How many attempts a lane has started recently. This number decides only how many of the lane's deliveries are read
 * ahead, not how many attempts start.
 */

/**
 * The length of the periods in which starts are counted. The longer a period, the more deliveries are read ahead, and
 * the longer they wait for slots. A lane's slots often become free at the same time, because its attempts end at the
 * same time. A delivery that waits longer than `READY_MS` becomes stale, so a period is shorter than `READY_MS`.
 */
const PERIOD_MS = 200;

/** Times are from `Timers.now()`. */
export interface RecentStarts {
  since: number;
  /** The number of starts in the current period. */
  starts: number;
  /** The number of starts in the previous period. */
  before: number;
}

export const noStarts = (now: number): RecentStarts => ({ since: now, starts: 0, before: 0 });

export function countStart(rate: RecentStarts, now: number): void {
  roll(rate, now);
  rate.starts++;
}

/**
 * Returns how many deliveries to keep ready for a lane: as many as the lane starts in half a period at its current
 * rate.
 */
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
