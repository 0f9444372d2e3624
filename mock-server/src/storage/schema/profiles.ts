import type { Generated } from 'kysely';

/** Tables of profiles and their evaluation. Instants are milliseconds since the epoch; JSON is text. */
export interface ProfileTable {
  /** SQLite only: the number that identifies the row in its search. */
  seq: Generated<number>;
  id: string;
  workspace_id: string;
  external_id: string;
  first_seen_at: number;
  /** Days of 10 characters each, ascending, without separators. */
  active_days: string;
  name: string | null;
  email: string | null;
  created_at: number;
  updated_at: number;
  /**
   * The words that a search reads: the profile's fields, folded, each with the tag of the workspace. A string, or a
   * `tsvector`.
   */
  words: string;
  /** JSON object. */
  attributes: string;
}

/**
 * One row for each profile: when it was last seen, and the result of the latest evaluation. Null before the first
 * evaluation.
 */
export interface ProfileStateTable {
  workspace_id: string;
  profile_id: string;
  last_seen_at: number;
  state: string | null;
  engagement: number | null;
  churn_risk: number | null;
  days_since_last_seen: number | null;
  days_since_first_seen: number | null;
  active_days_last_7: number | null;
  active_days_last_28: number | null;
  active_days_this_week: number | null;
  active_days_last_week: number | null;
  week_over_week: number | null;
  /** When an evaluation last changed anything. */
  evaluated_at: number | null;
  /** The evaluation that changed it. If its node dies, the node that takes over counts these changes too. */
  evaluation_id: string | null;
  /** The state before that evaluation. */
  previous_state: string | null;
}

/** One row for each workspace that has, or had, profiles or a data source: what is due, and which node works on it. */
export interface LifecycleTable {
  workspace_id: string;
  /**
   * The time of the earliest work, or null. During a cycle, it is not in the future, so that another node finds the
   * work if this one dies.
   */
  due_at: number | null;
  next_evaluation_at: number | null;
  /** Why the next evaluation is due: `schedule` or `calendar`. */
  next_trigger: string;
  /** JSON of a data source; null for `push`. */
  source: string | null;
  next_sync_at: number | null;
  /** JSON of the latest sync. */
  last_sync: string | null;
  /** The running evaluation. If its node dies, another node starts it again. */
  cycle_id: string | null;
  cycle_trigger: string | null;
  cycle_started_at: number | null;
  /** A fencing token, increased by each claim. */
  lease_token: number;
  /** When the claim ends, on the clock of leases. Null while no node has it. */
  lease_until: number | null;
}

/** Finished evaluations. */
export interface EvaluationTable {
  id: string;
  workspace_id: string;
  event_id: string;
  trigger: string;
  started_at: number;
  finished_at: number;
  profiles: number;
  changed: number;
  /** JSON. */
  states: string;
  /** JSON. */
  transitions: string;
  sync_error: string | null;
}
