import type { Scores } from '@svc/contract/control/resources';
import type { Signals } from './signals.ts';
import { LIFECYCLE_NUMBERS } from './thresholds.ts';

export type { Scores };

/** Calculates a profile's scores from its signals. Each score is rounded to an integer, and a half is rounded up. */
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

/**
 * A part of a score: the fraction `value / full` of the points. If `value` is below 0, the part has no points. If
 * `value` is above `full`, the part has all points.
 */
type Part = readonly [points: number, value: number, full: number];

/**
 * Adds two parts as one fraction of integers. With floating-point numbers, an exact half could become slightly smaller,
 * and would then be rounded down.
 */
function sumOf(first: Part, second: Part): number {
  const [a, b] = [numerator(first), numerator(second)];
  const [aOf, bOf] = [first[2], second[2]];
  return Math.floor((2 * (a * bOf + b * aOf) + aOf * bOf) / (2 * aOf * bOf));
}

const numerator = ([points, value, full]: Part) => points * Math.min(full, Math.max(0, value));
