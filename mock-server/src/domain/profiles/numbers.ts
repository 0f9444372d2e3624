/** All numbers of the reference model: the windows of signals, the weights of scores and the limits of states. */
export const LIFECYCLE_NUMBERS = {
  /** Windows of active days, in days. They end today. */
  shortWindow: 7,
  longWindow: 28,
  engagement: {
    /** For being active on every day of the long window. */
    activityPoints: 70,
    /** For being seen today. Falls to nothing at `fadesAfterDays`. */
    recencyPoints: 30,
    fadesAfterDays: 28,
  },
  churnRisk: {
    /** For not being seen for `fullAfterDays`. */
    absencePoints: 80,
    fullAfterDays: 28,
    /** For being active on `fullDropDays` fewer days than in the week before. */
    dropPoints: 20,
    fullDropDays: 7,
  },
  states: {
    churnedFromDays: 90,
    dormantFromDays: 28,
    newBelowDays: 7,
    atRiskFromDays: 14,
    /** At this change or a greater drop. */
    atRiskFromDrop: -2,
  },
} as const;

/** How many active days of a profile to keep: the latest. */
export const ACTIVE_DAYS_MAX = 400;
