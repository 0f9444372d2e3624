import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// Each word of a profile starts with the tag of its workspace. Before this, an extra word named the workspace. Every
// profile had that word, so each look-up read a list as long as the workspace is large.
const TAG_LENGTH = 6;

export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) await tagOnPostgres(db);
  else await tagOnSqlite(db);
}

/** All words after the first, each with the tag. */
const tagged = (tag: string, firstSpace: string) => `case when ${firstSpace} = 0 then ''
  else ${tag} || replace(substr(words, ${firstSpace} + 1), ' ', ' ' || ${tag}) end`;

async function tagOnPostgres(db: Kysely<unknown>): Promise<void> {
  const tag = `lower(substr(workspace_id, greatest(5, length(workspace_id) - ${TAG_LENGTH - 1})))`;
  await sql`drop index profiles_by_words`.execute(db);
  // With a `tsvector`, comparing a query with a row that another index found takes less than a microsecond.
  await sql
    .raw(`alter table profiles alter column words type tsvector
      using array_to_tsvector(string_to_array(${tagged(tag, "strpos(words, ' ')")}, ' '))`)
    .execute(db);
  // Without `fastupdate`, PostgreSQL keeps no list of rows to index later, which each search would read in full.
  await sql`create index profiles_by_words on profiles using gin (words) with (fastupdate = off)`.execute(db);
  // A search looks at the newest profiles of a workspace first. The collation keeps the planner from the primary key.
  await sql`create index profiles_newest on profiles (workspace_id, id collate "POSIX")`.execute(db);
}

async function tagOnSqlite(db: Kysely<unknown>): Promise<void> {
  const tag = `lower(substr(workspace_id, max(5, length(workspace_id) - ${TAG_LENGTH - 1})))`;
  for (const when of ['added', 'removed', 'changed']) await sql.raw(`drop trigger profile_words_${when}`).execute(db);
  await sql`drop table profile_words`.execute(db);
  await sql.raw(`update profiles set words = ${tagged(tag, "instr(words, ' ')")}`).execute(db);
  // The first letters of a word follow its tag.
  const prefixes = [1, 2, 3, 4].map((letters) => TAG_LENGTH + letters).join(' ');
  await sql
    .raw(`create virtual table profile_words using fts5(
    words, content = 'profiles', content_rowid = 'seq', tokenize = 'ascii', prefix = '${prefixes}',
    detail = none, columnsize = 0)`)
    .execute(db);
  await sql`insert into profile_words (profile_words) values ('rebuild')`.execute(db);
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
