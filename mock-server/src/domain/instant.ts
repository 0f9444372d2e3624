/** Milliseconds since the epoch, on the virtual clock unless the variable's name says otherwise. */
export type Instant = number;

/** Provides the time for stored timestamps, retry schedules and the expiry of secrets. */
export interface Clock {
  now(): Instant;
}

const ISO = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

/**
 * The first and the last valid day. In another time zone, a time on the first day can fall on the day before it, and a
 * time on the last day can fall on the day after it. These two other days also have a year of four digits.
 */
export const FIRST_DAY = '0001-01-02';
export const LAST_DAY = '9998-12-31';

const EARLIEST = Date.parse(FIRST_DAY);
const LATEST = Date.parse(LAST_DAY);
/** Whether a time has a year of four digits in every time zone. */
export const isWithinYears = (at: Instant): boolean => at >= EARLIEST && at <= LATEST;

/**
 * Parses an ISO 8601 time that has `Z` or an offset, in the years 1 to 9998. `undefined` for any other string, and for a
 * day that does not exist.
 */
export function parseInstant(text: string): Instant | undefined {
  const [, day] = ISO.exec(text) ?? [];
  const at = Date.parse(text);
  return day !== undefined && dayExists(day) && isWithinYears(at) ? at : undefined;
}

/** Whether a day `YYYY-MM-DD` exists. `Date` reads 2026-02-30 as 2026-03-02. */
export function dayExists(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day);
}

/**
 * Returns an ISO 8601 time, rounded up to whole milliseconds. `Date.parse` alone rounds down, because it cuts the
 * digits after the third decimal place. As a lower bound, its result would also include the millisecond before the
 * given time.
 */
export function firstMillisecondFrom(text: string): number {
  return Date.parse(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 1 : 0);
}
