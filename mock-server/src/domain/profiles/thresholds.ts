/** The numbers of the reference model: the windows of signals, the weights of scores and the limits of states. */
export const LIFECYCLE_NUMBERS = {
  /** The lengths, in days, of the windows in which active days are counted. Both windows end today. */
  shortWindow: 7,
  longWindow: 28,
  engagement: {
    /** The points for a profile that was active on every day of the long window. */
    activityPoints: 70,
    /** The points for a profile that was seen today. They decrease each day, to 0 after `fadesAfterDays`. */
    recencyPoints: 30,
    fadesAfterDays: 28,
  },
  churnRisk: {
    /** The points for a profile that has not been seen for `fullAfterDays`. */
    absencePoints: 80,
    fullAfterDays: 28,
    /** The points for a profile that was active on `fullDropDays` fewer days this week than last week. */
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

/** The maximum number of active days that are kept for a profile. Only the latest days are kept. */
export const ACTIVE_DAYS_MAX = 400;
