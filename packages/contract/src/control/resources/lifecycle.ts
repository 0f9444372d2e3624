import type { EVALUATION_TRIGGERS, LIFECYCLE_STATES } from '../values.ts';

/** The lifecycle state of a profile. */
export type ProfileState = (typeof LIFECYCLE_STATES)[number];

/** A profile to import. Fields that you omit keep their values. */
export interface ProfileInput {
  /** Your id for the profile, 1 to 200 characters. */
  externalId: string;
  /** Display name, at most 200 characters. */
  name?: string | null | undefined;
  /** Email address, at most 200 characters. */
  email?: string | null | undefined;
  /** Any JSON object of at most 16 KiB. The new object replaces the stored object. */
  attributes?: Record<string, unknown> | undefined;
  /** Days on which the profile was active, such as `2026-02-28`. */
  activeDays?: string[] | undefined;
  /** When the profile was first seen. ISO 8601 with `Z` or an offset. */
  firstSeenAt?: string | undefined;
  /** When the profile was last seen. ISO 8601 with `Z` or an offset. */
  lastSeenAt?: string | undefined;
}

/** A line that was not imported, and the reason. */
export interface ImportProblem {
  /** The number of the line in NDJSON, or of the item in a JSON array. The first number is 1. */
  line: number;
  /** What is wrong, in a sentence. */
  message: string;
}

/** The result of an import. */
export interface ImportedProfiles {
  /** The number of imported lines. An imported line creates a profile, updates a profile, or changes nothing. */
  upserted: number;
  /** The number of new profiles. */
  created: number;
  /** The number of profiles that changed. */
  updated: number;
  /** The number of profiles that already had the imported values. */
  unchanged: number;
  /** The number of invalid lines. */
  rejected: number;
  /** The first 100 rejected lines. */
  problems: ImportProblem[];
}

/** The scores of a profile: integers from 0 to 100. */
export interface Scores {
  /** The engagement of the profile. */
  engagement: number;
  /** The risk that the person stops using the product. */
  churnRisk: number;
}

/** The measurements of a profile in an evaluation. All measurements are integers. */
export interface Signals {
  /** The number of days since the profile was last seen. */
  daysSinceLastSeen: number;
  /** The number of days since the profile was first seen. */
  daysSinceFirstSeen: number;
  /** The number of active days among the last 7 days. */
  activeDaysLast7: number;
  /** The number of active days among the last 28 days. */
  activeDaysLast28: number;
  /** The number of active days in the current week. */
  activeDaysThisWeek: number;
  /** The number of active days in the previous week. */
  activeDaysLastWeek: number;
  /**
   * The number of active days in the current week, minus the number of active days in the previous week up to the same
   * weekday as today.
   */
  weekOverWeek: number;
}

/** A profile with its signals, scores and state. These three fields are null before the first evaluation. */
export interface ControlProfile {
  /** Id of the profile. */
  id: string;
  /** Your id for the profile. */
  externalId: string;
  /** Display name, or null. */
  name: string | null;
  /** Email address, or null. */
  email: string | null;
  /** The JSON object that was imported for the profile. */
  attributes: Record<string, unknown>;
  /** When the profile was first seen. */
  firstSeenAt: string;
  /** When the profile was last seen. */
  lastSeenAt: string;
  /** The days on which the profile was active, oldest first. */
  activeDays: string[];
  /** The lifecycle state. */
  state: ProfileState | null;
  /** The scores. */
  scores: Scores | null;
  /** The measurements from which the scores and the state are computed. */
  signals: Signals | null;
  /** When the profile was last evaluated. */
  evaluatedAt: string | null;
  /** When the profile was created. */
  createdAt: string;
  /** When the profile was last changed. */
  updatedAt: string;
}

/** The profiles to list. */
export interface ProfileFilters {
  /** Lists only profiles in this state. */
  state?: ProfileState | undefined;
  /**
   * The search text, with 1 to 200 characters and at most ten words. Each of these words must match the beginning of a
   * word in the profile.
   */
  q?: string | undefined;
}

/** The new data source of a workspace. */
export type DataSourceInput =
  | {
      /** `push`: callers import the profiles. `ndjson`: the server reads a file with one profile on each line. */
      kind: 'push';
    }
  | {
      /** `push`: callers import the profiles. `ndjson`: the server reads a file with one profile on each line. */
      kind: 'ndjson';
      /** The absolute path of a file, or an https URL. */
      location: string;
      /**
       * The interval at which the server reads the source, such as `PT1H`, `30m` or `1d`. Default: null, which means
       * that the server reads the source only on request.
       */
      schedule?: string | null | undefined;
    };

/** The result of one sync. Times are ISO 8601. */
export interface ProfileSync {
  /** When the read started. */
  startedAt: string;
  /** When the read ended. */
  finishedAt: string;
  /** The number of imported lines. An imported line creates a profile, updates a profile, or changes nothing. */
  upserted: number;
  /** The number of invalid lines. */
  rejected: number;
  /** The first 100 rejected lines. */
  problems: ImportProblem[];
  /** Why the server stopped before the end of the source. Null if the server read the whole source. */
  error: string | null;
}

/** The data source of a workspace. */
export interface ControlDataSource {
  /** `push`: callers import the profiles. `ndjson`: the server reads a file with one profile on each line. */
  kind: 'push' | 'ndjson';
  /** The absolute path of a file, or an https URL. */
  location?: string | undefined;
  /** The interval at which the server reads the source. Null means that the server reads the source only on request. */
  schedule?: string | null | undefined;
  /**
   * Present if `svc-mock import` added this data source, and `location` is the path of a file. The server does not read
   * the file until you set the data source again.
   */
  imported?: true | undefined;
  /** The result of the latest read. Null before the first read. */
  lastSync: ProfileSync | null;
  /** When the server reads the source next. Null if no read is scheduled. */
  nextSyncAt: string | null;
}

/** The reason for an evaluation cycle. */
export type EvaluationTrigger = (typeof EVALUATION_TRIGGERS)[number];

/** The number of profiles that moved from one state to another. */
export interface StateTransition {
  /** The state before the evaluation. Null for profiles that had not been evaluated before. */
  from: ProfileState | null;
  /** The state after the evaluation. */
  to: ProfileState;
  /** The number of profiles. */
  profiles: number;
}

/** A finished evaluation cycle. Times are ISO 8601. */
export interface ControlEvaluation {
  /** Id of the evaluation. */
  id: string;
  /** The workspace whose profiles were evaluated. */
  workspaceId: string;
  /** The event that reported the evaluation. */
  eventId: string;
  /** Why the evaluation ran. */
  trigger: EvaluationTrigger;
  /** When the evaluation started. */
  startedAt: string;
  /** When the evaluation ended. */
  finishedAt: string;
  /** The number of profiles in the workspace at the time of the evaluation. */
  profiles: number;
  /** The number of profiles whose state, scores or signals changed. */
  changed: number;
  /** The number of profiles in each state after the evaluation. */
  states: {
    /** The number of new profiles. */
    new: number;
    /** The number of active profiles. */
    active: number;
    /** The number of profiles at risk. */
    at_risk: number;
    /** The number of dormant profiles. */
    dormant: number;
    /** The number of churned profiles. */
    churned: number;
  };
  /** For each pair of states, the number of profiles that moved from one state to the other. */
  transitions: StateTransition[];
  /** The error of the sync before the evaluation. Null if the sync succeeded, or if there was no sync. */
  syncError: string | null;
}

/** When a workspace's next evaluation and sync are due. A time is null if nothing is scheduled. */
export interface WorkspaceSchedule {
  /** When the next evaluation is due. */
  nextEvaluationAt: string | null;
  /** When the next read of the data source is due. */
  nextSyncAt: string | null;
}
