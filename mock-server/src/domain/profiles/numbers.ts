/** Every number of the reference model: what the signals look at, what the scores weigh, and where the states begin. */
export const LIFECYCLE_NUMBERS = {
  /** Windows of active days that end today, in days. */
  shortWindow: 7,
  longWindow: 28,
  engagement: {
    /** For being active on every day of the long window. */
    activityPoints: 70,
    /** For having been seen today; nothing after `fadesAfterDays`. */
    recencyPoints: 30,
    fadesAfterDays: 28,
  },
  churnRisk: {
    /** For not having been seen for `fullAfterDays`. */
    absencePoints: 80,
    fullAfterDays: 28,
    /** For being active on `fullDropDays` days less than in the week before. */
    dropPoints: 20,
    fullDropDays: 7,
  },
  states: {
    churnedFromDays: 90,
    dormantFromDays: 28,
    newBelowDays: 7,
    atRiskFromDays: 14,
    /** From this change on, or a greater drop. */
    atRiskFromDrop: -2,
  },
} as const;

/** Active days that are kept of a profile: the latest. */
export const ACTIVE_DAYS_MAX = 400;
