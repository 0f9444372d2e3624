/** All numbers of the reference model: the windows of signals, the weights of scores and the limits of states. */
export const LIFECYCLE_NUMBERS = {
  /** The lengths, in days, of the windows in which active days are counted. Both windows end today. */
  shortWindow: 7,
  longWindow: 28,
  engagement: {
    /** Points for being active on every day of the long window. */
    activityPoints: 70,
    /** Points for being seen today, which fall to 0 at `fadesAfterDays`. */
    recencyPoints: 30,
    fadesAfterDays: 28,
  },
  churnRisk: {
    /** Points for not being seen for `fullAfterDays`. */
    absencePoints: 80,
    fullAfterDays: 28,
    /** Points for being active on `fullDropDays` fewer days than in the week before. */
    dropPoints: 20,
    fullDropDays: 7,
  },
  states: {
    churnedFromDays: 90,
    dormantFromDays: 28,
    newBelowDays: 7,
    atRiskFromDays: 14,
    /** At this change, or a greater drop. */
    atRiskFromDrop: -2,
  },
} as const;

/** How many active days of a profile to keep. The latest days are kept. */
export const ACTIVE_DAYS_MAX = 400;
