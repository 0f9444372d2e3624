import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';
import { createIndex, createListIndex } from './create-index.ts';

/**
 * Creates the tables of profiles and evaluations. The results of evaluations change often. They are in a separate,
 * narrow table, so that an evaluation does not touch the attributes, the search words or their indexes.
 */
export async function createProfiles(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  await db.schema
    .createTable('profiles')
    // On SQLite, the text search identifies a row by the number `seq`.
    .$call(
      (table): CreateTableBuilder<'profiles', never> =>
        postgres
          ? table.addColumn('id', 'text', (column) => column.primaryKey())
          : table
              .addColumn('seq', 'integer', (column) => column.primaryKey())
              .addColumn('id', 'text', (column) => column.notNull().unique()),
    )
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('external_id', 'text', (column) => column.notNull())
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('active_days', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('email', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    // Words are split, folded and tagged before they are stored, so the text search uses the words unchanged. A search
    // may read rows from an index that contains no words, and compare each row with the query. With the type
    // `tsvector`, each comparison takes less than a microsecond.
    .addColumn('words', postgres ? sql`tsvector` : 'text', (column) => column.notNull())
    .addColumn('attributes', 'text', (column) => column.notNull())
    .addUniqueConstraint('profiles_by_external_id', ['workspace_id', 'external_id'])
    .execute();

  await db.schema
    .createTable('profile_states')
    .$call((table) => table.modifyEnd(postgres ? sql`with (fillfactor = 60)` : sql`without rowid`))
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('profile_id', 'text', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text')
    .addColumn('engagement', 'integer')
    .addColumn('churn_risk', 'integer')
    .addColumn('days_since_last_seen', 'integer')
    .addColumn('days_since_first_seen', 'integer')
    .addColumn('active_days_last_7', 'integer')
    .addColumn('active_days_last_28', 'integer')
    .addColumn('active_days_this_week', 'integer')
    .addColumn('active_days_last_week', 'integer')
    .addColumn('week_over_week', 'integer')
    .addColumn('evaluated_at', 'bigint')
    .addColumn('evaluation_id', 'text')
    .addColumn('previous_state', 'text')
    .addPrimaryKeyConstraint('profile_states_key', ['workspace_id', 'profile_id'])
    .execute();
  await createIndex(db, 'profile_states_by_last_seen on profile_states (workspace_id, last_seen_at, profile_id)');
  await createIndex(db, 'profile_states_by_state on profile_states (workspace_id, state, last_seen_at, profile_id)');

  await db.schema
    .createTable('lifecycles')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey().references('workspaces.id'))
    .addColumn('due_at', 'bigint')
    .addColumn('next_evaluation_at', 'bigint')
    .addColumn('next_trigger', 'text', (column) => column.notNull())
    .addColumn('source', 'text')
    .addColumn('next_sync_at', 'bigint')
    .addColumn('last_sync', 'text')
    .addColumn('cycle_id', 'text')
    .addColumn('cycle_trigger', 'text')
    .addColumn('cycle_started_at', 'bigint')
    .addColumn('lease_token', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .execute();
  await createIndex(db, 'lifecycles_due on lifecycles (due_at) where due_at is not null');

  await db.schema
    .createTable('evaluations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('trigger', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('finished_at', 'bigint', (column) => column.notNull())
    .addColumn('profiles', 'bigint', (column) => column.notNull())
    .addColumn('changed', 'bigint', (column) => column.notNull())
    .addColumn('states', 'text', (column) => column.notNull())
    .addColumn('transitions', 'text', (column) => column.notNull())
    .addColumn('sync_error', 'text')
    .execute();
  await createListIndex(db, 'evaluations_by_workspace', 'evaluations', ['workspace_id']);

  if (postgres) await indexWordsOnPostgres(db);
  else await indexWordsOnSqlite(db);
}

async function indexWordsOnPostgres(db: Kysely<unknown>): Promise<void> {
  // With `fastupdate`, PostgreSQL would first write new rows to a list and index them later. Each search would read the
  // whole list.
  await sql`create index profiles_by_words on profiles using gin (words) with (fastupdate = off)`.execute(db);
  // A search checks the newest profiles of a workspace first.
  await createListIndex(db, 'profiles_newest', 'profiles', ['workspace_id']);
}

/** The length of a workspace's tag. Each search word starts with the tag of its workspace. */
const TAG_LENGTH = 6;

/**
 * Creates the search index, and triggers that keep it up to date. The tokenizer `ascii` splits at spaces and does not
 * change characters outside ASCII.
 */
async function indexWordsOnSqlite(db: Kysely<unknown>): Promise<void> {
  // The length of each prefix includes the length of the tag.
  const prefixes = [1, 2, 3, 4].map((letters) => TAG_LENGTH + letters).join(' ');
  await sql
    .raw(`create virtual table profile_words using fts5(
    words, content = 'profiles', content_rowid = 'seq', tokenize = 'ascii', prefix = '${prefixes}',
    detail = none, columnsize = 0)`)
    .execute(db);
  const add = 'insert into profile_words (rowid, words) values (new.seq, new.words);';
  const remove = "insert into profile_words (profile_words, rowid, words) values ('delete', old.seq, old.words);";
  for (const [name, when, what] of [
    ['profile_words_added', 'after insert', add],
    ['profile_words_removed', 'after delete', remove],
    ['profile_words_changed', 'after update of words', remove + add],
  ]) {
    await sql.raw(`create trigger ${name} ${when} on profiles begin ${what} end`).execute(db);
  }
}
