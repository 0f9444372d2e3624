import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// Results of evaluations are in a narrow table, because they are written again each day. The attributes, the search
// words and their indexes do not change then.
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  await db.schema
    .createTable('profiles')
    // The search on SQLite identifies a row by its number.
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
    .addColumn('words', 'text', (column) => column.notNull())
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
  await db.schema
    .createIndex('profile_states_by_last_seen')
    .on('profile_states')
    .columns(['workspace_id', 'last_seen_at', 'profile_id'])
    .execute();
  await db.schema
    .createIndex('profile_states_by_state')
    .on('profile_states')
    .columns(['workspace_id', 'state', 'last_seen_at', 'profile_id'])
    .execute();

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
  await db.schema
    .createIndex('lifecycles_due')
    .on('lifecycles')
    .column('due_at')
    .where(sql.ref('due_at'), 'is not', null)
    .execute();

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
  const listId = sql.raw(postgres ? 'id collate "POSIX"' : 'id');
  await db.schema
    .createIndex('evaluations_by_workspace')
    .on('evaluations')
    .column('workspace_id')
    .column(listId as never)
    .execute();

  if (postgres) await indexWordsOnPostgres(db);
  else await indexWordsOnSqlite(db);
}

/** The words are split and folded before they are stored, so the text search uses them unchanged. */
async function indexWordsOnPostgres(db: Kysely<unknown>): Promise<void> {
  await sql`create index profiles_by_words on profiles
    using gin (array_to_tsvector(string_to_array(words, ' ')))`.execute(db);
}

/** The same for SQLite. The tokenizer `ascii` splits at spaces and does not change characters outside of ASCII. */
async function indexWordsOnSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`create virtual table profile_words using fts5(
    words, content = 'profiles', content_rowid = 'seq', tokenize = 'ascii', prefix = '1 2 3 4',
    detail = none, columnsize = 0)`.execute(db);
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
