import type { Signals } from '@svc/contract/control/resources';
import { addDays, type Day, daysBetween, weekdayOf } from './calendar.ts';
import { LIFECYCLE_NUMBERS } from './thresholds.ts';

/** The days on which a profile was seen, in its workspace's time zone. */
export interface SeenDays {
  firstSeenDay: Day;
  lastSeenDay: Day;
  /** The active days in ascending order, without duplicates. */
  activeDays: readonly Day[];
}

const MONDAY = 1;
const DAYS_PER_WEEK = 7;

export type EvaluationDay = ReturnType<typeof createEvaluationDay>;

/** @param weekStartsOn - 0 (Sunday) to 6 (Saturday); null means Monday. */
export function createEvaluationDay(today: Day, weekStartsOn: number | null) {
  const { shortWindow, longWindow } = LIFECYCLE_NUMBERS;
  const intoWeek = (weekdayOf(today) - (weekStartsOn ?? MONDAY) + DAYS_PER_WEEK) % DAYS_PER_WEEK;
  const counted = new Map<Day, number>();
  return {
    today,
    shortWindowStart: addDays(today, 1 - shortWindow),
    longWindowStart: addDays(today, 1 - longWindow),
    weekStart: addDays(today, -intoWeek),
    lastWeekStart: addDays(today, -intoWeek - DAYS_PER_WEEK),
    sameWeekdayLastWeek: addDays(today, -DAYS_PER_WEEK),
    /** Returns 0 for a day after today. */
    daysSince(day: Day): number {
      const known = counted.get(day);
      if (known !== undefined) return known;
      const days = Math.max(0, daysBetween(day, today));
      counted.set(day, days);
      return days;
    },
  };
}

/** Computes the signals of a profile. Active days after today do not count. */
export function signalsOf({ firstSeenDay, lastSeenDay, activeDays }: SeenDays, on: EvaluationDay): Signals {
  let [short, long, thisWeek, lastWeek, lastWeekSoFar] = [0, 0, 0, 0, 0];
  // The long window contains all other windows, so skip the days before it.
  const from = activeDays.findLastIndex((day) => day < on.longWindowStart) + 1;
  for (const day of activeDays.slice(from)) {
    if (day > on.today) continue;
    long++;
    if (day >= on.shortWindowStart) short++;
    if (day >= on.weekStart) thisWeek++;
    else if (day >= on.lastWeekStart) {
      lastWeek++;
      if (day <= on.sameWeekdayLastWeek) lastWeekSoFar++;
    }
  }
  return {
    daysSinceLastSeen: on.daysSince(lastSeenDay),
    daysSinceFirstSeen: on.daysSince(firstSeenDay),
    activeDaysLast7: short,
    activeDaysLast28: long,
    activeDaysThisWeek: thisWeek,
    activeDaysLastWeek: lastWeek,
    weekOverWeek: thisWeek - lastWeekSoFar,
  };
}
