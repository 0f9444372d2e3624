import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';

/**
 * Creates the index for a list: the columns of a filter, followed by the id. If a request has several filters, the list
 * uses the index of one filter and checks the other filters row by row.
 *
 * On PostgreSQL, these indexes have the collation "POSIX", and the primary key has the collation "C". Both collations
 * sort the same way, but PostgreSQL cannot use the primary key for a query with the collation "POSIX". With only one
 * collation, PostgreSQL might scan the primary key instead of the index, and might read almost the whole table to find
 * matching rows. See `listId` in `storage/dialect.ts`.
 */
export async function createListIndex(db: Kysely<unknown>, name: string, table: string, filter: readonly string[]) {
  const id = isPostgres(db) ? 'id collate "POSIX"' : 'id';
  await createIndex(db, `${name} on ${table} (${[...filter, id].join(', ')})`);
}

/** Creates the index that an SQL definition describes, such as `events_by_type on events (type)`. */
export async function createIndex(db: Kysely<unknown>, definition: string): Promise<void> {
  await sql.raw(`create index ${definition}`).execute(db);
}
