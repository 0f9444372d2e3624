/**
 * The results of evaluations are in a separate, narrow table, so that an evaluation does not touch the search words.
 */
export const profileDefinitions = (postgres: boolean, id: string): string[] => [
  // SQLite's text search identifies a row by `seq`. The server splits, folds and tags the words before it stores them,
  // so both databases use the words unchanged.
  `create table profiles (
    ${postgres ? 'id text primary key' : 'seq integer primary key, id text not null unique'},
    workspace_id text not null, external_id text not null, first_seen_at bigint not null, active_days text not null,
    name text, email text, created_at bigint not null, updated_at bigint not null,
    words ${postgres ? 'tsvector' : 'text'} not null, attributes text not null,
    constraint profiles_by_external_id unique (workspace_id, external_id)
  )`,

  `create table profile_states (
    workspace_id text not null, profile_id text not null, last_seen_at bigint not null, state text,
    engagement integer, churn_risk integer, days_since_last_seen integer, days_since_first_seen integer,
    active_days_last_7 integer, active_days_last_28 integer, active_days_this_week integer,
    active_days_last_week integer, week_over_week integer,
    evaluated_at bigint, evaluation_id text, previous_state text,
    constraint profile_states_key primary key (workspace_id, profile_id)
  ) ${postgres ? 'with (fillfactor = 60)' : 'without rowid'}`,
  'create index profile_states_by_last_seen on profile_states (workspace_id, last_seen_at, profile_id)',
  'create index profile_states_by_state on profile_states (workspace_id, state, last_seen_at, profile_id)',

  `create table lifecycles (
    workspace_id text primary key references workspaces (id),
    due_at bigint, next_evaluation_at bigint, next_trigger text not null,
    source text, next_sync_at bigint, last_sync text,
    cycle_id text, cycle_trigger text, cycle_started_at bigint,
    lease_token bigint not null, lease_until bigint
  )`,
  'create index lifecycles_due on lifecycles (due_at) where due_at is not null',

  `create table evaluations (
    id text primary key, workspace_id text not null, event_id text not null, trigger text not null,
    started_at bigint not null, finished_at bigint not null, profiles bigint not null, changed bigint not null,
    states text not null, transitions text not null, sync_error text
  )`,
  `create index evaluations_by_workspace on evaluations (workspace_id, ${id})`,

  ...(postgres ? wordIndexes(id) : WORDS_ON_SQLITE),
];

const wordIndexes = (id: string) => [
  // With `fastupdate`, new rows would first go to a list, and each search would read the whole list.
  'create index profiles_by_words on profiles using gin (words) with (fastupdate = off)',
  // A search checks the newest profiles of a workspace first.
  `create index profiles_newest on profiles (workspace_id, ${id})`,
];

const ADD = 'insert into profile_words (rowid, words) values (new.seq, new.words);';
const REMOVE = "insert into profile_words (profile_words, rowid, words) values ('delete', old.seq, old.words);";

const WORDS_ON_SQLITE = [
  // The tokenizer `ascii` splits at spaces, and does not change characters outside ASCII. An indexed prefix consists of
  // the six characters of the workspace's tag and one to four letters.
  `create virtual table profile_words using fts5(
    words, content = 'profiles', content_rowid = 'seq', tokenize = 'ascii', prefix = '7 8 9 10',
    detail = none, columnsize = 0)`,
  `create trigger profile_words_added after insert on profiles begin ${ADD} end`,
  `create trigger profile_words_removed after delete on profiles begin ${REMOVE} end`,
  `create trigger profile_words_changed after update of words on profiles begin ${REMOVE + ADD} end`,
];
