/** Milliseconds since the epoch, on the virtual clock unless the name of the variable says otherwise. */
export type Instant = number;

export interface Clock {
  now(): Instant;
}

/** Returns the earliest instant. Ignores null and undefined, and returns undefined if no instant is left. */
export function earliest(...instants: readonly (Instant | null | undefined)[]): Instant | undefined {
  const present = instants.filter((instant) => typeof instant === 'number');
  return present.length === 0 ? undefined : Math.min(...present);
}

const ISO = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * The first and the last allowed day. In another time zone, a time on one of these days can fall on the day before or
 * after. So the day before the first day and the day after the last day must have four-digit years, too.
 */
export const FIRST_DAY = '0001-01-02';
export const LAST_DAY = '9998-12-31';

const EARLIEST = Date.parse(FIRST_DAY);
const LATEST = Date.parse(LAST_DAY);
/** Whether a time has a four-digit year in every time zone. */
export const isWithinYears = (at: Instant): boolean => at >= EARLIEST && at <= LATEST;

/**
 * Parses an ISO 8601 time that has `Z` or an offset, in the years 1 to 9998. Returns `undefined` for any other string,
 * and for a day that does not exist.
 */
export function parseInstant(text: string): Instant | undefined {
  const [, day] = ISO.exec(text) ?? [];
  const at = Date.parse(text);
  return day !== undefined && dayExists(day) && isWithinYears(at) ? at : undefined;
}

/** Whether a text is a day `YYYY-MM-DD` that exists. `Date` reads 2026-02-30 as 2026-03-02. */
export function dayExists(day: string): boolean {
  const at = Date.parse(day);
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/** Returns the first millisecond at or after the given time, as a lower bound. `Date.parse` would round down. */
export function firstMillisecondFrom(text: string): number {
  return Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0);
}
