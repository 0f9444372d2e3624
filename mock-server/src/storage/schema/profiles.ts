import type { Generated } from 'kysely';
import type { EvaluationTrigger } from '../../domain/profiles/evaluation.ts';
import type { LifecycleState } from '../../domain/profiles/state.ts';
import type { SearchedFields } from '../../domain/search.ts';

/* Instants are milliseconds since the epoch; JSON values are stored as text. */

export interface ProfileTable {
  /** On SQLite only: the number that identifies the row in the search index. */
  seq: Generated<number>;
  id: string;
  workspace_id: string;
  external_id: string;
  first_seen_at: number;
  /** The active days in ascending order, 10 characters each, without separators. */
  active_days: string;
  name: string | null;
  email: string | null;
  created_at: number;
  updated_at: number;
  /** The words by which a search finds the profile: see `indexedWords`. On PostgreSQL, a `tsvector`. */
  words: string;
  /** A JSON object. */
  attributes: string;
}

/** The column of each field that a search reads. */
export const SEARCHED_COLUMNS = {
  name: 'name',
  email: 'email',
  externalId: 'external_id',
} as const satisfies Record<keyof SearchedFields, keyof ProfileTable>;

/** When a profile was last seen, and the results of its latest evaluation, if any. */
export interface ProfileStateTable {
  workspace_id: string;
  profile_id: string;
  last_seen_at: number;
  state: LifecycleState | null;
  engagement: number | null;
  churn_risk: number | null;
  days_since_last_seen: number | null;
  days_since_first_seen: number | null;
  active_days_last_7: number | null;
  active_days_last_28: number | null;
  active_days_this_week: number | null;
  active_days_last_week: number | null;
  week_over_week: number | null;
  evaluated_at: number | null;
  /**
   * The evaluation that last changed this row. If a node dies during an evaluation, the next node needs this id to
   * count the changes that are already stored.
   */
  evaluation_id: string | null;
  /** The profile's state before the evaluation `evaluation_id`. */
  previous_state: LifecycleState | null;
}

/** One row for each workspace that has, or had, profiles or a data source. */
export interface LifecycleTable {
  workspace_id: string;
  /**
   * When the workspace's earliest work is due, or null. During an evaluation, this time is never in the future, so
   * that another node finds the work if the evaluating node dies.
   */
  due_at: number | null;
  next_evaluation_at: number | null;
  /** `schedule` or `calendar`. */
  next_trigger: EvaluationTrigger;
  /** The data source, in JSON. Null for a data source of the kind `push`. */
  source: string | null;
  next_sync_at: number | null;
  /** The latest sync, in JSON. */
  last_sync: string | null;
  /** The running evaluation. If the node that runs it dies, another node starts the evaluation again with this id. */
  cycle_id: string | null;
  cycle_trigger: EvaluationTrigger | null;
  cycle_started_at: number | null;
  /** A fencing token: a new random number with each claim. */
  lease_token: number;
  /** When the claim ends, on the lease clock (see `leaseClock`). Null while no node has claimed the workspace. */
  lease_until: number | null;
}

export interface EvaluationTable {
  id: string;
  workspace_id: string;
  event_id: string;
  trigger: EvaluationTrigger;
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
