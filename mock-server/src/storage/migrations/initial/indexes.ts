import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';

/**
 * Creates the index of a list: the columns of its filter, then the id. A list with one filter always has an index. With
 * several filters, the list uses the index of one and checks the others row by row.
 *
 * PostgreSQL would prefer to scan the primary key and skip rows that do not match, which may be the whole table. These
 * indexes use another collation with the same order, and the primary key cannot provide that order. See `listId` in
 * `storage/dialect.ts`.
 */
export async function createListIndex(
  db: Kysely<unknown>,
  name: string,
  table: string,
  filter: readonly string[],
): Promise<void> {
  const id = isPostgres(db) ? 'id collate "POSIX"' : 'id';
  await createIndex(db, `${name} on ${table} (${[...filter, id].join(', ')})`);
}

/** Creates the index that an SQL definition describes, such as `events_by_type on events (type)`. */
export async function createIndex(db: Kysely<unknown>, definition: string): Promise<void> {
  await sql.raw(`create index ${definition}`).execute(db);
}
