import type { EVALUATION_TRIGGERS, LIFECYCLE_STATES } from '../values.ts';

/** The lifecycle state of a profile. */
export type ProfileState = (typeof LIFECYCLE_STATES)[number];

/** A profile to import. Omitted fields do not change. */
export interface ProfileInput {
  /** Your id for the profile, 1 to 200 characters. */
  externalId: string;
  /** Display name, at most 200 characters. */
  name?: string | null | undefined;
  /** Email address, at most 200 characters. */
  email?: string | null | undefined;
  /** Any JSON object of at most 16 KiB. It replaces the stored one. */
  attributes?: Record<string, unknown> | undefined;
  /** Days on which the profile was active, such as `2026-02-28`. */
  activeDays?: string[] | undefined;
  /** When it was first seen. ISO 8601 with `Z` or an offset. */
  firstSeenAt?: string | undefined;
  /** When it was last seen. ISO 8601 with `Z` or an offset. */
  lastSeenAt?: string | undefined;
}

/** A line that was not imported, and why. */
export interface ImportProblem {
  /** The line of NDJSON or the item of a JSON array. Starts at 1. */
  line: number;
  /** What is wrong, in a sentence. */
  message: string;
}

/** The result of an import. */
export interface ImportedProfiles {
  /** Imported lines: created, updated or unchanged. */
  upserted: number;
  /** Profiles that are new. */
  created: number;
  /** Profiles that were changed. */
  updated: number;
  /** Profiles that already had these values. */
  unchanged: number;
  /** Lines that are not valid. */
  rejected: number;
  /** The first hundred rejected lines. */
  problems: ImportProblem[];
}

/** The scores of a profile: integers from 0 to 100. */
export interface Scores {
  /** How engaged the profile is. */
  engagement: number;
  /** How likely the profile is to leave. */
  churnRisk: number;
}

/** The measurements of a profile in an evaluation. All are integers. */
export interface Signals {
  /** Days since it was last seen. */
  daysSinceLastSeen: number;
  /** Days since it was first seen. */
  daysSinceFirstSeen: number;
  /** Active days among the last 7. */
  activeDaysLast7: number;
  /** Active days among the last 28. */
  activeDaysLast28: number;
  /** Active days in the current week. */
  activeDaysThisWeek: number;
  /** Active days in the week before. */
  activeDaysLastWeek: number;
  /** Active days in the current week, minus those in the week before up to the same weekday. */
  weekOverWeek: number;
}

/** One profile with its signals, scores and state. They are null before the first evaluation. */
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
  /** When it was first seen. */
  firstSeenAt: string;
  /** When it was last seen. */
  lastSeenAt: string;
  /** Days on which the profile was active, in order. */
  activeDays: string[];
  /** The lifecycle state. */
  state: ProfileState | null;
  /** The scores. */
  scores: Scores | null;
  /** The measurements that scores and state come from. */
  signals: Signals | null;
  /** When it was last evaluated. */
  evaluatedAt: string | null;
  /** When the profile was created. */
  createdAt: string;
  /** When the profile was last changed. */
  updatedAt: string;
}

/** The profiles to list. */
export interface ProfileFilters {
  /** Only profiles in this state. */
  state?: ProfileState | undefined;
  /** 1 to 200 characters, at most ten words. Every word must match the beginning of a word. */
  q?: string | undefined;
}

/** Where the profiles of a workspace should come from. */
export type DataSourceInput =
  | {
      /** `push`: callers import them. `ndjson`: the server reads a file with one profile on each line. */
      kind: 'push';
    }
  | {
      /** `push`: callers import them. `ndjson`: the server reads a file with one profile on each line. */
      kind: 'ndjson';
      /** A file's absolute path, or an https URL. */
      location: string;
      /** How often to read it, such as `PT1H`, `30m` or `1d`. Default: null, only on request. */
      schedule?: string | null | undefined;
    };

/** The result of reading a data source. Times are ISO 8601. */
export interface ProfileSync {
  /** When the read started. */
  startedAt: string;
  /** When the read ended. */
  finishedAt: string;
  /** Imported lines: created, updated or unchanged. */
  upserted: number;
  /** Lines that are not valid. */
  rejected: number;
  /** The first hundred rejected lines. */
  problems: ImportProblem[];
  /** Why it ended early. Null if it did not. */
  error: string | null;
}

/** Where a workspace's profiles come from. */
export interface ControlDataSource {
  /** `push`: callers import them. `ndjson`: the server reads a file with one profile on each line. */
  kind: 'push' | 'ndjson';
  /** A file's absolute path, or an https URL. */
  location?: string | undefined;
  /** How often the server reads it. Null means only on request. */
  schedule?: string | null | undefined;
  /** Present if the path of a file came with an import. The server does not read the file before you set it again. */
  imported?: true | undefined;
  /** The result of the latest read. Null before the first one. */
  lastSync: ProfileSync | null;
  /** When the server reads it next. Null if no read is scheduled. */
  nextSyncAt: string | null;
}

/** Why a cycle of evaluation runs. */
export type EvaluationTrigger = (typeof EVALUATION_TRIGGERS)[number];

/** Profiles that moved from one state to another. */
export interface StateTransition {
  /** The state before. Null in the first evaluation of the profiles. */
  from: ProfileState | null;
  /** The state after. */
  to: ProfileState;
  /** How many profiles. */
  profiles: number;
}

/** A finished cycle. Times are ISO 8601. */
export interface ControlEvaluation {
  /** Id of the evaluation. */
  id: string;
  /** The workspace whose profiles were evaluated. */
  workspaceId: string;
  /** The event that reported it. */
  eventId: string;
  /** Why it ran. */
  trigger: EvaluationTrigger;
  /** When it started. */
  startedAt: string;
  /** When it ended. */
  finishedAt: string;
  /** How many profiles there were. */
  profiles: number;
  /** Profiles whose state, scores or signals changed. */
  changed: number;
  /** Profiles by state, after the cycle. */
  states: {
    /** Profiles that are new. */
    new: number;
    /** Profiles that are active. */
    active: number;
    /** Profiles that are at risk. */
    at_risk: number;
    /** Profiles that are dormant. */
    dormant: number;
    /** Profiles that have churned. */
    churned: number;
  };
  /** The moves between states. */
  transitions: StateTransition[];
  /** Why the sync before the evaluation failed. Null if it did not fail. */
  syncError: string | null;
}

/** When work of a workspace is due. A time is null if nothing is scheduled. */
export interface WorkspaceSchedule {
  /** When the next evaluation is due. */
  nextEvaluationAt: string | null;
  /** When the next read of the data source is due. */
  nextSyncAt: string | null;
}
