/*
 * How many attempts a lane has started recently. This number decides only how many of the lane's deliveries are read
 * ahead. The slots and the window of the endpoint decide how many attempts start.
 */

/**
 * The length of the periods in which a lane's starts are counted. The length also decides how far ahead deliveries are
 * read. A lane's attempts often end at the same time, and the slots for the next deliveries become free only at that
 * time. Deliveries that were read ahead must not become stale while they wait for these slots. So a period is shorter
 * than the time after which a delivery becomes stale.
 */
const PERIOD_MS = 200;

/** How many attempts a lane has started recently. Times are readings of the process's monotonic clock. */
export interface RecentStarts {
  /** When the current period began. */
  since: number;
  /** The number of starts in the current period. */
  starts: number;
  /** The number of starts in the previous period. */
  before: number;
}

/** Returns the counts of a lane that has started no attempts yet. */
export const noStarts = (now: number): RecentStarts => ({ since: now, starts: 0, before: 0 });

/** Counts the start of one attempt. */
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
