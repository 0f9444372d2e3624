import { createRequire } from 'node:module';
import { dayExists, FIRST_DAY, type Instant, LAST_DAY } from '../instant.ts';

type TemporalNamespace = typeof import('temporal-polyfill')['Temporal'];
let loaded: TemporalNamespace | undefined;

/** Loads Temporal on the first call, because a server without profiles does not need it. */
function temporal(): TemporalNamespace {
  loaded ??= (createRequire(import.meta.url)('temporal-polyfill') as typeof import('temporal-polyfill')).Temporal;
  return loaded;
}

/** `YYYY-MM-DD`. The strings sort in the order of the days. */
export type Day = string;

/** A day can have 23 or 25 hours, and a zone can skip a midnight or a whole day. */
export interface Calendar {
  dayOf(at: Instant): Day;
  /** If the zone skips the day, returns the first moment after the skipped day. */
  startOf(day: Day): Instant;
  nextStartAfter(at: Instant): Instant;
  /** Whether the day exists in this zone. Samoa, for example, skipped 2011-12-30. */
  has(day: Day): boolean;
}

export function isDay(text: string): boolean {
  return text >= FIRST_DAY && text <= LAST_DAY && dayExists(text);
}

export const addDays = (day: Day, days: number): Day => temporal().PlainDate.from(day).add({ days }).toString();

/** Returns the number of days from `from` to `to`, which is negative if `to` is before `from`. */
export const daysBetween = (from: Day, to: Day): number => temporal().PlainDate.from(from).until(to).days;

/** Returns the day of the week, from 0 (Sunday) to 6 (Saturday). */
export const weekdayOf = (day: Day): number => temporal().PlainDate.from(day).dayOfWeek % 7;

/** The maximum number of entries that all calendars may cache together. An entry takes up less than half a kilobyte. */
const ENTRIES_MAX = 400_000;
/** The maximum number of calendars. A calendar without entries takes up about 55 KB. */
const CALENDARS_MAX = 500;

/** Finds the calendar of an IANA time zone; null means UTC. Discards all calendars when they cache too many days. */
export function createCalendars(entriesMax = ENTRIES_MAX): (timezone: string | null) => Calendar {
  /** The calendars, keyed by the lower-case names of their time zones. */
  const calendars = new Map<string, Calendar>();
  let entries = 0;
  function countEntry(): void {
    if (++entries > entriesMax) discardAll();
  }
  function discardAll(): void {
    calendars.clear();
    entries = 0;
  }
  return (timezone) => {
    const zone = (timezone ?? 'UTC').toLowerCase();
    const known = calendars.get(zone);
    if (known) return known;
    const made = createCalendar(usableZone(zone), countEntry);
    if (calendars.size >= CALENDARS_MAX) discardAll();
    calendars.set(zone, made);
    return made;
  };
}

export const calendarOf = createCalendars();

/**
 * Returns UTC for a stored zone that Temporal rejects, because another version of Node may have accepted the zone. An
 * error would make every evaluation fail, and no move of the clock could finish.
 */
function usableZone(zone: string): string {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    temporal().Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(timeZone);
    return timeZone;
  } catch {
    return 'utc';
  }
}

const DAY_MS = 86_400_000;

const nameOf = (dayNumber: number): Day =>
  new Date(dayNumber * DAY_MS).toISOString().slice(0, -'T00:00:00.000Z'.length);

const REMEMBERED_MAX = 50_000;

/** A zone crosses the date line if its offset from UTC changes by more than this. All other changes are smaller. */
const DATE_LINE_MS = 12 * 3_600_000;
const TWO_DAYS_MS = 2 * DAY_MS;
/**
 * A zone can cross the date line only in this range of years. Before the range, offsets did not change. After the
 * range, the time zone database contains only changes for daylight saving time.
 */
const [FIRST_CROSSING, LAST_CROSSING] = ['1800', '2100'];

/** @param countEntry - Called before the calendar caches an entry. */
function createCalendar(zone: string, countEntry: () => void): Calendar {
  const starts = new Map<Day, Instant>();
  /** The names of days, by day number. Day 0 is 1970-01-01. */
  const days = new Map<number, Day>();
  /** For each year: whether the zone crosses the date line in that year, or within two days before or after it. */
  const crossings = new Map<string, boolean>();
  /** For each UTC day: the zone's offset in milliseconds, or null if the offset changes on that day. */
  const offsets = new Map<number, number | null>();
  const offsetAt = createOffsetReader(zone);

  function remember<Key, Value>(cache: Map<Key, Value>, key: Key, value: Value): Value {
    if (cache.size >= REMEMBERED_MAX) cache.clear();
    countEntry();
    cache.set(key, value);
    return value;
  }

  function offsetOn(utcDay: number): number | null {
    const known = offsets.get(utcDay);
    if (known !== undefined) return known;
    const offset = offsetAt(utcDay * DAY_MS);
    return remember(offsets, utcDay, offset === offsetAt((utcDay + 1) * DAY_MS) ? offset : null);
  }

  function dayOf(at: Instant): Day {
    const offset = offsetOn(Math.floor(at / DAY_MS)) ?? offsetAt(at);
    const number = Math.floor((at + offset) / DAY_MS);
    return days.get(number) ?? remember(days, number, nameOf(number));
  }

  function startOf(day: Day): Instant {
    const known = starts.get(day);
    if (known !== undefined) return known;
    return remember(starts, day, temporal().PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds);
  }

  function crossesDateLineIn(year: string): boolean {
    if (year < FIRST_CROSSING || year > LAST_CROSSING) return false;
    const known = crossings.get(year);
    if (known !== undefined) return known;
    const [start, end] = [Date.parse(`${year}-01-01`), Date.parse(`${year}-12-31`)];
    const change = offsetAt(end + TWO_DAYS_MS) - offsetAt(start - TWO_DAYS_MS);
    return remember(crossings, year, Math.abs(change) > DATE_LINE_MS);
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
    // A zone can skip a day only in a year in which it crosses the date line. In other years, skip the slow `startOf`:
    // an import can contain thousands of days. For a skipped day, `startOf` returns a moment on a later day.
    has: (day) => !crossesDateLineIn(day.slice(0, 4)) || dayOf(startOf(day)) === day,
  };
}

/** Uses `Intl`: Temporal creates several objects for each instant, and an import can contain a million instants. */
function createOffsetReader(zone: string): (at: Instant) => number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const utc = Math.floor(at / 1000) * 1000;
    const local: Record<string, string> = {};
    for (const { type, value } of format.formatToParts(utc)) local[type] = value;
    const { era, year, month, day, hour, minute, second } = local;
    const shown = new Date(0);
    // The year before the year 1 is 1 BC, which `Date` counts as year 0.
    shown.setUTCFullYear(era === 'BC' ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day));
    return shown.setUTCHours(Number(hour), Number(minute), Number(second)) - utc;
  };
}
