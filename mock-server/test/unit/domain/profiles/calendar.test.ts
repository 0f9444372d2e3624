import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  addDays,
  calendarOf,
  createCalendars,
  daysBetween,
  isDay,
  weekdayOf,
} from '../../../../src/domain/profiles/calendar.ts';
import { naiveDayOf, naiveNextStartAfter } from './naive.ts';

const at = (text: string) => Date.parse(text);

/** Zones with and without daylight saving, with offsets of parts of an hour, and with skipped days and midnights. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/Sao_Paulo',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
  'America/Havana',
];

describe('A day of a zone', () => {
  test.each([
    ['UTC', '2026-03-01T00:00:00Z', '2026-03-01'],
    ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
    // The day when daylight saving starts has 23 hours.
    ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
    // The day when it ends has 25.
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
    ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
    ['America/Sao_Paulo', '2026-03-01T02:59:59.999Z', '2026-02-28'],
    ['America/Sao_Paulo', '2026-03-01T03:00:00Z', '2026-03-01'],
    ['Asia/Kathmandu', '2026-03-01T18:14:59.999Z', '2026-03-01'],
    ['Asia/Kathmandu', '2026-03-01T18:15:00Z', '2026-03-02'],
    ['Pacific/Apia', '2011-12-30T09:59:59.999Z', '2011-12-29'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31'],
    // Half an hour of daylight saving.
    ['Australia/Lord_Howe', '2026-04-04T12:59:59.999Z', '2026-04-04'],
    ['Australia/Lord_Howe', '2026-04-04T13:00:00Z', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-04-05T13:29:59.999Z', '2026-04-05'],
    ['Australia/Lord_Howe', '2026-04-05T13:30:00Z', '2026-04-06'],
    // Midnight is skipped: 2026-03-08 begins at 01:00.
    ['America/Havana', '2026-03-08T04:59:59.999Z', '2026-03-07'],
    ['America/Havana', '2026-03-08T05:00:00Z', '2026-03-08'],
    // Just after midnight, the clock was set back to the previous day, so 2010-11-07 began twice.
    ['America/St_Johns', '2010-11-07T02:30:00Z', '2010-11-07'],
    ['America/St_Johns', '2010-11-07T02:31:00Z', '2010-11-06'],
    ['America/St_Johns', '2010-11-07T03:30:00Z', '2010-11-07'],
  ])('in %s at %s is %s', (zone, instant, day) => {
    expect(calendarOf(zone).dayOf(at(instant))).toBe(day);
    // The second answer comes from the cache.
    expect(calendarOf(zone).dayOf(at(instant))).toBe(day);
  });

  test.each([
    ['UTC', 2 ** 48 - 1, '+010889-08-02'],
    ['UTC', -(2 ** 48 - 1), '-006950-05-31'],
    ['UTC', at('0001-01-01T00:00:00Z') - 1, '0000-12-31'],
    ['Pacific/Kiritimati', at('9999-12-31T12:00:00Z'), '+010000-01-01'],
    ['America/New_York', at('0001-01-01T00:00:00Z'), '0000-12-31'],
  ])('in %s at %i, far in the past or future, is %s', (zone, instant, day) => {
    expect(calendarOf(zone).dayOf(instant)).toBe(day);
  });

  test.each([
    [-27e13, '-006586-01-17'],
    [27e13, '+010525-12-18'],
  ])('the day after %i, far in the past or future, is %s', (instant, day) => {
    const utc = calendarOf(null);
    expect(utc.dayOf(utc.nextStartAfter(instant))).toBe(day);
  });

  test.each([
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z'],
    ['America/Sao_Paulo', '2017-10-15', '2017-10-15T03:00:00Z'],
    ['Asia/Kathmandu', '2026-03-02', '2026-03-01T18:15:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30:00Z'],
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
    // Midnight comes twice. The day begins with the first one.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
  ])('in %s, %s begins at %s', (zone, day, instant) => {
    expect(calendarOf(zone).startOf(day)).toBe(at(instant));
  });

  test.each([
    ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
    ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28T23:00:00Z'],
    ['Europe/Berlin', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ['America/Havana', '2026-03-07T05:00:00Z', '2026-03-08T05:00:00Z'],
    ['America/Havana', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['Pacific/Apia', '2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z'],
    ['America/St_Johns', '2010-11-07T02:30:30Z', '2010-11-08T03:30:00Z'],
    ['America/St_Johns', '2010-11-07T02:45:00Z', '2010-11-08T03:30:00Z'],
  ])('in %s, the next day after %s begins at %s', (zone, after, next) => {
    expect(calendarOf(zone).nextStartAfter(at(after))).toBe(at(next));
  });

  test('that the zone skipped is not one of its days, but its neighbours are', () => {
    const apia = calendarOf('Pacific/Apia');
    expect(['2011-12-29', '2011-12-30', '2011-12-31'].map(apia.has)).toEqual([true, false, true]);
    expect(calendarOf(null).has('2011-12-30')).toBe(true);
  });

  test.each([
    ['1801', '2100', 'calculated once for each year', 600],
    ['0002', '1799', 'not calculated, because no zone skipped a day then', 0],
    ['2101', '9997', 'not calculated, because no zone is known to skip a day then', 0],
  ])('from %s to %s: whether a zone may skip a day is %s', (first, last, _how, calls) => {
    const { has } = createCalendars()('Europe/Berlin');
    const format = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    onTestFinished(() => format.mockRestore());
    for (let year = Number(first); year <= Number(last); year++) {
      for (const day of ['05-05', '06-06']) expect(has(`${String(year).padStart(4, '0')}-${day}`)).toBe(true);
    }
    expect(format).toHaveBeenCalledTimes(calls);
  });

  test.each(['2026-02-28', '2024-02-29', '0001-01-02', '9998-12-31'])('%s exists', (text) => {
    expect(isDay(text)).toBe(true);
  });

  test.each([
    '2026-02-29',
    '2026-02-30',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
    '0001-01-01',
    '9999-01-01',
    '2026-1-1',
    '20260101',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '',
  ])('"%s" does not exist', (text) => {
    expect(isDay(text)).toBe(false);
  });

  test('every zone that the runtime knows has a calendar', () => {
    for (const zone of [...Intl.supportedValuesOf('timeZone'), 'utc', 'EST', '+05:30', '-0800']) {
      expect(calendarOf(zone).dayOf(at('2026-06-15T12:00:00Z')), zone).toMatch(/^2026-06-1[456]$/);
    }
  });
});

describe('A zone that Temporal rejects', () => {
  test.each([
    ['PST', 'America/Los_Angeles'],
    ['US/Pacific-New', 'America/Los_Angeles'],
    ['Mars/Olympus', 'UTC'],
  ])('%s has the days of %s', (zone, same) => {
    const start = calendarOf(same).startOf('2026-06-15');
    expect(calendarOf(zone).startOf('2026-06-15')).toBe(start);
    expect(calendarOf(zone).dayOf(start - 1)).toBe('2026-06-14');
  });
});

describe('A string', () => {
  test('is a day if it has the form of one, exists, and has a year from 0001 to 9998', () => {
    const days = ['2026-02-28', '2024-02-29', '0001-01-02', '9998-12-31', '1900-01-31'];
    const others = ['2026-02-29', '2026-02-30', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1'];
    expect(days.filter(isDay)).toEqual(days);
    expect([...others, '0001-01-01', '9999-01-01', '2026-01-01T', ''].filter(isDay)).toEqual([]);
  });
});

describe('Counting days', () => {
  test.each([
    ['2026-02-28', 1, '2026-03-01', 0],
    ['2024-02-28', 1, '2024-02-29', 4],
    ['2026-01-01', -1, '2025-12-31', 3],
  ])('%s and %i is %s, weekday %i', (day, days, result, weekday) => {
    expect(addDays(day, days)).toBe(result);
    expect(daysBetween(day, result)).toBe(days);
    expect(weekdayOf(result)).toBe(weekday);
  });
});

describe('Compared with a slow, naive calendar', () => {
  const zone = fc.constantFrom(...ZONES);
  const instant = fc.integer({ min: at('2005-01-01T00:00:00Z'), max: at('2037-12-01T00:00:00Z') });

  test('every instant has the same day', () => {
    fc.assert(
      fc.property(zone, instant, (name, when) => {
        expect(calendarOf(name).dayOf(when)).toBe(naiveDayOf(name, when));
      }),
      { numRuns: 2_000 },
    );
  });

  test('every instant of 400 years has the same day in every zone', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const years = fc.integer({ min: at('1800-01-01T00:00:00Z'), max: at('2200-01-01T00:00:00Z') });
    fc.assert(
      fc.property(zones, years, (name, when) => {
        expect(calendarOf(name).dayOf(when)).toBe(naiveDayOf(name, when));
      }),
      { numRuns: 2_000 },
    );
  });

  /** Whether any hour around the day belongs to the day. */
  const naiveHas = (name: string, day: string) =>
    Array.from({ length: 60 }, (_, hour) => at(`${day}T00:00:00Z`) + (hour - 18) * 3_600_000).some(
      (when) => naiveDayOf(name, when) === day,
    );

  test.each([
    ['Pacific/Apia', '2011-12-30'],
    ['Pacific/Fakaofo', '2011-12-30'],
    ['Pacific/Kiritimati', '1994-12-31'],
    ['Pacific/Kanton', '1994-12-31'],
    ['Pacific/Kwajalein', '1993-08-21'],
    ['Europe/Berlin', undefined],
  ])('%s lacks the same days: %s', (name, skipped) => {
    for (const around of ['1993-08-21', '1994-12-31', '2011-12-30']) {
      for (let offset = -4; offset <= 4; offset++) {
        const day = addDays(around, offset);
        expect([day, calendarOf(name).has(day)]).toEqual([day, naiveHas(name, day)]);
        expect([day, calendarOf(name).has(day)]).toEqual([day, day !== skipped]);
      }
    }
  });

  test('every zone has the same days', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    fc.assert(
      fc.property(zones, instant, (name, when) => {
        const day = new Date(when).toISOString().slice(0, 10);
        expect(calendarOf(name).has(day)).toBe(naiveHas(name, day));
      }),
      { numRuns: 300 },
    );
  });

  test('the next day begins at the same instant', () => {
    fc.assert(
      fc.property(zone, instant, (name, when) => {
        expect(calendarOf(name).nextStartAfter(when)).toBe(naiveNextStartAfter(name, when));
      }),
      { numRuns: 60 },
    );
  });
});

describe('The days that calendars remember', () => {
  test('are all forgotten at the common limit, and not before', () => {
    const calendarIn = createCalendars(100);
    const [berlin, apia] = [calendarIn('Europe/Berlin'), calendarIn('Pacific/Apia')];
    const remember = (from: number, count: number) => {
      for (let days = from; days < from + count; days++) berlin.startOf(addDays('2026-01-01', days));
    };
    remember(0, 99);
    apia.startOf('2026-01-01');
    expect(calendarIn('europe/BERLIN')).toBe(berlin);
    expect(calendarIn('Pacific/Apia')).toBe(apia);
    remember(99, 1);
    expect(calendarIn('Europe/Berlin')).not.toBe(berlin);
    expect(calendarIn('Pacific/Apia')).not.toBe(apia);
    expect(calendarIn('Europe/Berlin').startOf('2026-03-29')).toBe(at('2026-03-28T23:00:00Z'));
  });

  test('are all forgotten when there are more than 500 calendars, and not before', () => {
    const calendarIn = createCalendars();
    const berlin = calendarIn('Europe/Berlin');
    const offsets = Array.from({ length: 500 }, (_, minutes) => {
      const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
      return `+${hour}:${minute}`;
    });
    for (const offset of offsets.slice(0, 499)) calendarIn(offset);
    expect(calendarIn('Europe/Berlin')).toBe(berlin);
    calendarIn(offsets[499] ?? '');
    expect(calendarIn('Europe/Berlin')).not.toBe(berlin);
  });
});
