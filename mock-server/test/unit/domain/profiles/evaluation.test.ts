import type { Signals } from '@svc/contract/control/resources';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, calendarOf } from '../../../../src/domain/profiles/calendar.ts';
import { scoresOf } from '../../../../src/domain/profiles/scores.ts';
import { createEvaluationDay, signalsOf } from '../../../../src/domain/profiles/signals.ts';
import { stateOf } from '../../../../src/domain/profiles/state.ts';
import { naiveDayOf, naiveEvaluation } from './naive.ts';

const still: Signals = {
  daysSinceLastSeen: 0,
  daysSinceFirstSeen: 100,
  activeDaysLast7: 0,
  activeDaysLast28: 0,
  activeDaysThisWeek: 0,
  activeDaysLastWeek: 0,
  weekOverWeek: 0,
};

/** Signals of a profile that was first seen long ago and last seen today. */
const on = (today: string, weekStartsOn: number | null, activeDays: string[], lastSeenDay = today) =>
  signalsOf({ firstSeenDay: '2020-01-01', lastSeenDay, activeDays }, createEvaluationDay(today, weekStartsOn));

describe('Signals', () => {
  test.each([
    ['2026-03-29', 0],
    ['2026-03-28', 1],
    ['2026-03-01', 28],
    ['2025-03-29', 365],
    // A clock that is ahead does not make a number negative.
    ['2026-03-30', 0],
  ])('count the days since %s as %i', (day, days) => {
    const signals = signalsOf(
      { firstSeenDay: day, lastSeenDay: day, activeDays: [] },
      createEvaluationDay('2026-03-29', null),
    );
    expect(signals).toMatchObject({ daysSinceLastSeen: days, daysSinceFirstSeen: days });
  });

  // 2026-03-29 is a Sunday, the day when daylight saving starts in Europe.
  test.each([
    ['2026-03-29', 1, 1],
    ['2026-03-23', 1, 1],
    ['2026-03-22', 0, 1],
    ['2026-03-02', 0, 1],
    ['2026-03-01', 0, 0],
    ['2026-03-30', 0, 0],
  ])('count %s as %i of the last 7 and %i of the last 28 days', (day, short, long) => {
    expect(on('2026-03-29', null, [day])).toMatchObject({ activeDaysLast7: short, activeDaysLast28: long });
  });

  test.each([
    // Monday: the week began on the 23rd.
    [null, '2026-03-23', 1, 0, 1],
    [1, '2026-03-22', 0, 1, -1],
    [1, '2026-03-16', 0, 1, -1],
    [1, '2026-03-15', 0, 0, 0],
    // Sunday: the week begins today, and compares with the 22nd alone.
    [0, '2026-03-29', 1, 0, 1],
    [0, '2026-03-28', 0, 1, 0],
    [0, '2026-03-22', 0, 1, -1],
    [0, '2026-03-21', 0, 0, 0],
    // Saturday: the week began yesterday, and compares with the 21st and the 22nd.
    [6, '2026-03-28', 1, 0, 1],
    [6, '2026-03-27', 0, 1, 0],
    [6, '2026-03-23', 0, 1, 0],
    [6, '2026-03-22', 0, 1, -1],
    [6, '2026-03-21', 0, 1, -1],
    [6, '2026-03-20', 0, 0, 0],
  ])(
    'with weeks from %s, %s is %i of this week, %i of the last, and changes the week by %i',
    (start, day, ...counts) => {
      const [activeDaysThisWeek, activeDaysLastWeek, weekOverWeek] = counts;
      const signals = on('2026-03-29', start, [day]);
      expect(signals).toMatchObject({ activeDaysThisWeek, activeDaysLastWeek, weekOverWeek });
    },
  );

  test.each([
    // The days when daylight saving starts and ends, in zones with and without it.
    ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-28T22:59:59Z', 1],
    ['Europe/Berlin', '2026-03-29T21:59:59Z', '2026-03-28T23:00:00Z', 0],
    ['Europe/Berlin', '2026-10-25T22:59:59Z', '2026-10-24T21:59:59Z', 1],
    ['America/Sao_Paulo', '2018-11-04T03:00:00Z', '2018-11-04T02:59:59Z', 1],
    ['America/Sao_Paulo', '2026-11-04T03:00:00Z', '2026-11-04T02:59:59Z', 1],
    ['Asia/Kathmandu', '2026-03-01T18:15:00Z', '2026-03-01T18:14:59Z', 1],
    // From the 29th to the 31st: two calendar days, though one was skipped.
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-30T09:59:59Z', 2],
    ['Australia/Lord_Howe', '2026-04-05T13:29:59Z', '2026-04-04T13:00:00Z', 0],
    ['Australia/Lord_Howe', '2026-04-05T13:30:00Z', '2026-04-05T13:29:59Z', 1],
    ['America/Havana', '2026-03-08T05:00:00Z', '2026-03-08T04:59:59Z', 1],
    ['America/Havana', '2026-11-02T04:59:59Z', '2026-11-01T04:00:00Z', 0],
  ])('in %s at %s, %s was %i days ago', (zone, now, seen, days) => {
    const { dayOf } = calendarOf(zone);
    const today = createEvaluationDay(dayOf(Date.parse(now)), null);
    expect(today.daysSince(dayOf(Date.parse(seen)))).toBe(days);
  });
});

describe('Scores', () => {
  test.each([
    [28, 0, 100],
    [0, 0, 30],
    [0, 28, 0],
    [0, 90, 0],
    // 70 × 1 / 28 is 2.5, and halves are rounded up.
    [1, 28, 3],
    [3, 28, 8],
    [1, 0, 33],
    [14, 14, 50],
    [28, 28, 70],
  ])('give %i active days and %i days of absence an engagement of %i', (activeDaysLast28, daysSinceLastSeen, score) => {
    expect(scoresOf({ ...still, activeDaysLast28, daysSinceLastSeen }).engagement).toBe(score);
  });

  test.each([
    [0, 0, 0],
    [0, 3, 0],
    [0, -1, 3],
    [0, -7, 20],
    [14, 0, 40],
    [28, 0, 80],
    [27, 0, 77],
    [29, 0, 80],
    [28, -7, 100],
    [500, -7, 100],
  ])('give %i days of absence and a change of %i a churn risk of %i', (daysSinceLastSeen, weekOverWeek, score) => {
    expect(scoresOf({ ...still, daysSinceLastSeen, weekOverWeek }).churnRisk).toBe(score);
  });
});

describe('States', () => {
  test.each([
    [{ daysSinceLastSeen: 90 }, 'churned'],
    [{ daysSinceLastSeen: 89 }, 'dormant'],
    [{ daysSinceLastSeen: 28 }, 'dormant'],
    [{ daysSinceLastSeen: 27 }, 'at_risk'],
    [{ daysSinceLastSeen: 14 }, 'at_risk'],
    [{ daysSinceLastSeen: 13 }, 'active'],
    [{ weekOverWeek: -2 }, 'at_risk'],
    [{ weekOverWeek: -1 }, 'active'],
    [{ daysSinceFirstSeen: 6 }, 'new'],
    [{ daysSinceFirstSeen: 7 }, 'active'],
    // The first matching state counts.
    [{ daysSinceFirstSeen: 6, weekOverWeek: -2 }, 'new'],
    [{ daysSinceFirstSeen: 6, daysSinceLastSeen: 28 }, 'dormant'],
  ])('a profile with %o is %s', (signals, state) => {
    expect(stateOf({ ...still, ...signals })).toBe(state);
  });
});

describe('Compared with a slow, naive implementation', () => {
  const zones = [
    'Europe/Berlin',
    'America/Sao_Paulo',
    'Asia/Kathmandu',
    'Pacific/Apia',
    'Australia/Lord_Howe',
    'America/Havana',
  ];
  // Days around the clock changes of each zone, and the day that Samoa skipped.
  const changes = [
    '2011-12-30',
    '2017-10-15',
    '2018-02-18',
    '2026-03-08',
    '2026-03-29',
    '2026-04-05',
    '2026-10-04',
    '2026-10-25',
    '2026-11-01',
  ];
  const now = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -4 * 1_440, max: 4 * 1_440 }))
    .map(([day, minutes]) => Date.parse(`${day}T00:00:00Z`) + minutes * 60_000);
  const ago = fc.oneof(fc.integer({ min: -2, max: 40 }), fc.integer({ min: 80, max: 100 }));

  test('signals, scores and states are the same', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        now,
        fc.constantFrom(0, 1, 6, 3),
        fc.uniqueArray(fc.integer({ min: -3, max: 60 }), { maxLength: 45 }),
        ago,
        fc.nat(60),
        (zone, at, weekStartsOn, activeAgo, lastAgo, earlier) => {
          const today = naiveDayOf(zone, at);
          const profile = {
            firstSeenDay: addDays(today, -lastAgo - earlier),
            lastSeenDay: addDays(today, -lastAgo),
            activeDays: activeAgo.map((days) => addDays(today, -days)).sort(),
          };
          const signals = signalsOf(profile, createEvaluationDay(calendarOf(zone).dayOf(at), weekStartsOn));
          const evaluation = { signals, scores: scoresOf(signals), state: stateOf(signals) };
          expect(evaluation).toEqual(naiveEvaluation(profile, today, weekStartsOn));
          for (const score of Object.values(evaluation.scores))
            expect(score).toBeOneOf(Array.from({ length: 101 }, (_, i) => i));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
