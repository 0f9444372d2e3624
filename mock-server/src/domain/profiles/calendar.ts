import { createRequire } from 'node:module';

type TemporalNamespace = typeof import('temporal-polyfill')['Temporal'];
let loaded: TemporalNamespace | undefined;

/** Loads Temporal on first use, so that a server without profiles starts without it. */
function temporal(): TemporalNamespace {
  loaded ??= (createRequire(import.meta.url)('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal;
  return loaded;
}

/** A calendar day, `YYYY-MM-DD`. The strings sort like the days. */
export type Day = string;

/** Milliseconds since the epoch. */
type Instant = number;

/** The calendar days of one time zone. A day may have 23 or 25 hours, and a zone may skip a midnight or a whole day. */
export interface Calendar {
  dayOf(at: Instant): Day;
  /** Returns the first moment of a day. If the zone skips the day, returns the first moment after the skipped day. */
  startOf(day: Day): Instant;
  nextStartAfter(at: Instant): Instant;
  /** Whether the day exists in this zone. Samoa, for example, skipped 2011-12-30. */
  has(day: Day): boolean;
}

const PATTERN = /^\d{4}-\d\d-\d\d$/;
/**
 * The first and the last valid day. In another time zone, a time on one of these days may fall on the day before the
 * first day, or on the day after the last day. These two days must have a year of four digits, too.
 */
export const FIRST_DAY: Day = '0001-01-02';
export const LAST_DAY: Day = '9998-12-31';

/** Whether a string is a day that exists. For example, 2026-02-30 does not exist. */
export function isDay(text: string): boolean {
  if (!PATTERN.test(text) || text < FIRST_DAY || text > LAST_DAY) return false;
  const at = Date.parse(text);
  // `Date` reads 2026-02-30 as 2026-03-02.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Returns the day that is `days` days after `day`, or before it if `days` is negative. */
export const addDays = (day: Day, days: number): Day => temporal().PlainDate.from(day).add({ days }).toString();

/** Returns how many days `to` is after `from`. Negative if `to` is before `from`. */
export const daysBetween = (from: Day, to: Day): number => temporal().PlainDate.from(from).until(to).days;

/** Returns the weekday, from 0 (Sunday) to 6 (Saturday). */
export const weekdayOf = (day: Day): number => temporal().PlainDate.from(day).dayOfWeek % 7;

/** The maximum number of cached entries in all calendars together. An entry takes up about half a kilobyte. */
const ENTRIES_MAX = 400_000;

/**
 * Returns a function that finds the calendar of an IANA time zone; null means UTC. Calendars cache the days that they
 * compute. All calendars are discarded when their caches have more than `entriesMax` entries together.
 */
export function createCalendars(entriesMax = ENTRIES_MAX): (timezone: string | null) => Calendar {
  /** The calendars, by the name of their zone in lower case. */
  const calendars = new Map<string, Calendar>();
  let entries = 0;
  function countEntry(): void {
    if (++entries <= entriesMax) return;
    calendars.clear();
    entries = 0;
  }
  return (timezone) => {
    const zone = (timezone ?? 'UTC').toLowerCase();
    const known = calendars.get(zone);
    if (known) return known;
    const made = createCalendar(usableZone(zone), countEntry);
    calendars.set(zone, made);
    return made;
  };
}

export const calendarOf = createCalendars();

/**
 * Returns the zone itself if Temporal accepts it. Temporal may reject a stored zone, for example because another
 * version of Node accepted the zone. In this case, returns the zone for which the stored name is an alias, or else UTC.
 * If this function threw an error instead, every evaluation would fail, which would stop every move of the clock.
 */
function usableZone(zone: string): string {
  if (isUsable(zone)) return zone;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return isUsable(timeZone) ? timeZone : 'utc';
  } catch {
    return 'utc';
  }
}

function isUsable(zone: string): boolean {
  try {
    temporal().Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return true;
  } catch {
    return false;
  }
}

/** The cached days are grouped into buckets of this length. */
const BUCKET_MS = 3_600_000;
const REMEMBERED_MAX = 50_000;

/**
 * A zone crosses the date line if its offset from UTC changes by more than this. Crossing the date line changes the
 * offset by about a day, and all other changes are smaller.
 */
const DATE_LINE_MS = 12 * 3_600_000;
const TWO_DAYS_MS = 2 * 86_400_000;

/** @param countEntry - Called before the calendar caches an entry. */
function createCalendar(zone: string, countEntry: () => void): Calendar {
  /**
   * The cached days, by the hour for which they were computed. Calling Temporal for every profile would take too long.
   */
  const remembered = new Map<number, { start: Instant; end: Instant; day: Day }[]>();
  const starts = new Map<Day, { at: Instant; day: Day }>();
  const dayIn = (at: Instant) => temporal().Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);

  /** Returns a day's first moment, and the day of that moment: a later day if the zone skips the given day. */
  function beginningOf(day: Day): { at: Instant; day: Day } {
    const known = starts.get(day);
    if (known) return known;
    const moment = temporal().PlainDate.from(day).toZonedDateTime(zone);
    const beginning = { at: moment.epochMilliseconds, day: moment.toPlainDate().toString() };
    if (starts.size >= REMEMBERED_MAX) starts.clear();
    countEntry();
    starts.set(day, beginning);
    return beginning;
  }
  const startOf = (day: Day) => beginningOf(day).at;

  /** For each year, whether the zone crosses the date line in that year, or at most two days before or after it. */
  const moves = new Map<string, boolean>();
  const offsetAt = (at: Instant) => dayIn(at).offsetNanoseconds / 1_000_000;

  function movesIn(year: string): boolean {
    const known = moves.get(year);
    if (known !== undefined) return known;
    const [start, end] = [Date.parse(`${year}-01-01`), Date.parse(`${year}-12-31`)];
    const change = offsetAt(end + TWO_DAYS_MS) - offsetAt(start - TWO_DAYS_MS);
    const result = Math.abs(change) > DATE_LINE_MS;
    countEntry();
    moves.set(year, result);
    return result;
  }

  function computeDay(at: Instant): Day {
    const moment = dayIn(at);
    const day = moment.toPlainDate().toString();
    // Cache only days of 24 hours. A longer day may have two parts: if clocks go back at midnight, the date changes to
    // the next day and then back again.
    if (moment.hoursInDay === 24) remember(day, moment.startOfDay().epochMilliseconds, at);
    return day;
  }

  function remember(day: Day, start: Instant, at: Instant): void {
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    countEntry();
    const bucket = Math.floor(at / BUCKET_MS);
    remembered.set(bucket, [...(remembered.get(bucket) ?? []), { start, end: startOf(addDays(day, 1)), day }]);
  }

  function dayOf(at: Instant): Day {
    const near = remembered.get(Math.floor(at / BUCKET_MS)) ?? [];
    return near.find(({ start, end }) => at >= start && at < end)?.day ?? computeDay(at);
  }

  return {
    dayOf,
    startOf,
    nextStartAfter(at) {
      let day = addDays(dayOf(at), 1);
      // If clocks went back across midnight, the next day may have begun before `at`.
      while (startOf(day) <= at) day = addDays(day, 1);
      return startOf(day);
    },
    // A zone can skip a day only in a year in which it crosses the date line. In other years, do not look up the day's
    // first moment, which would take too long for the thousands of days of an import.
    has: (day) => !movesIn(day.slice(0, 4)) || beginningOf(day).day === day,
  };
}
