import type { Scores, Signals } from '@svc/contract/control/resources';
import { LIFECYCLE_NUMBERS } from './thresholds.ts';

/** Computes the scores of a profile. Halves are rounded up. */
export function scoresOf({ activeDaysLast28, daysSinceLastSeen, weekOverWeek }: Signals): Scores {
  const { engagement, churnRisk, longWindow } = LIFECYCLE_NUMBERS;
  return {
    engagement: sumOf(
      [engagement.activityPoints, activeDaysLast28, longWindow],
      [engagement.recencyPoints, engagement.fadesAfterDays - daysSinceLastSeen, engagement.fadesAfterDays],
    ),
    churnRisk: sumOf(
      [churnRisk.absencePoints, daysSinceLastSeen, churnRisk.fullAfterDays],
      [churnRisk.dropPoints, -weekOverWeek, churnRisk.fullDropDays],
    ),
  };
}

/** A part of a score: `points * value / full`, but at least 0 and at most `points`. */
type Part = readonly [points: number, value: number, full: number];

/** Adds two parts, using integers. With floating-point numbers, 2.5 could become 2.4999 and then be rounded down. */
function sumOf(first: Part, second: Part): number {
  const [a, b] = [numerator(first), numerator(second)];
  const [aOf, bOf] = [first[2], second[2]];
  return Math.floor((2 * (a * bOf + b * aOf) + aOf * bOf) / (2 * aOf * bOf));
}

const numerator = ([points, value, full]: Part) => points * Math.min(full, Math.max(0, value));
