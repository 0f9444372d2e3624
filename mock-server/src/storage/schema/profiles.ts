import type { Generated } from 'kysely';

/** Tables of profiles and their evaluation. Instants are milliseconds since the epoch; JSON is text. */
export interface ProfileTable {
  /** Of SQLite only: the number by which its search knows the row. */
  seq: Generated<number>;
  id: string;
  workspace_id: string;
  external_id: string;
  first_seen_at: number;
  /** Days of 10 characters each, ascending, without anything between them. */
  active_days: string;
  name: string | null;
  email: string | null;
  created_at: number;
  updated_at: number;
  /** What a search looks at: the words of its fields, folded, each with the tag of the workspace. A text, or a `tsvector`. */
  words: string;
  /** JSON object. */
  attributes: string;
}

/** One row for each profile: when it was last seen, and what the latest evaluation made of it. Null before the first. */
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
  /** The evaluation that did. If its node dies, the one that takes over counts what was changed already. */
  evaluation_id: string | null;
  /** The state before that evaluation. */
  previous_state: string | null;
}

/** One row for each workspace that has, or had, profiles or a data source: what is due, and who is at it. */
export interface LifecycleTable {
  workspace_id: string;
  /** The earliest work, or null. At most now while a cycle is under way, so that another node finds it if this one dies. */
  due_at: number | null;
  next_evaluation_at: number | null;
  /** Why the next evaluation is due: `schedule` or `calendar`. */
  next_trigger: string;
  /** JSON of a data source; null for `push`. */
  source: string | null;
  next_sync_at: number | null;
  /** JSON of the latest sync. */
  last_sync: string | null;
  /** The evaluation under way, which begins again with another node if its own dies. */
  cycle_id: string | null;
  cycle_trigger: string | null;
  cycle_started_at: number | null;
  /** Fencing token: rises with each claim. */
  lease_token: number;
  /** When the claim ends, on the clock of leases; null while nobody has it. */
  lease_until: number | null;
}

/** Evaluations that finished. */
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
