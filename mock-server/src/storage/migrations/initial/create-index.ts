import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';

/**
 * Creates the index for a list. The index has the columns of the list's filter, followed by the id. Each filter of a
 * list has an index. With several filters, the list uses the index of one filter and checks the other filters row by
 * row.
 *
 * If an index had the collation of the primary key, PostgreSQL might scan the primary key instead, and skip all rows
 * that do not match, which may be almost the whole table. So these indexes have another collation. The other collation
 * sorts the same way, but PostgreSQL cannot use the primary key for a query with the other collation. See `listId` in
 * `storage/dialect.ts`.
 */
export async function createListIndex(db: Kysely<unknown>, name: string, table: string, filter: readonly string[]) {
  const id = isPostgres(db) ? 'id collate "POSIX"' : 'id';
  await createIndex(db, `${name} on ${table} (${[...filter, id].join(', ')})`);
}

/** Creates the index that an SQL definition describes, such as `events_by_type on events (type)`. */
export async function createIndex(db: Kysely<unknown>, definition: string): Promise<void> {
  await sql.raw(`create index ${definition}`).execute(db);
}
