/** The numbers of the reference model. */
export const LIFECYCLE_NUMBERS = {
  /** The lengths of two windows, in days. Both windows end today. */
  shortWindow: 7,
  longWindow: 28,
  engagement: {
    /** The points for a profile that was active on every day of the long window. */
    activityPoints: 70,
    /** The points for a profile seen today. The points decrease daily, and reach 0 after `fadesAfterDays` days. */
    recencyPoints: 30,
    fadesAfterDays: 28,
  },
  churnRisk: {
    /** The points for a profile that has not been seen for `fullAfterDays` days. */
    absencePoints: 80,
    fullAfterDays: 28,
    /** The points for a profile with `fullDropDays` fewer active days this week than in the same part of last week. */
    dropPoints: 20,
    fullDropDays: 7,
  },
  states: {
    churnedFromDays: 90,
    dormantFromDays: 28,
    newBelowDays: 7,
    atRiskFromDays: 14,
    /** A profile is also `at_risk` if its `weekOverWeek` is at most this number. */
    atRiskFromDrop: -2,
  },
} as const;

/** Only the latest active days of a profile are kept. */
export const ACTIVE_DAYS_MAX = 400;
