import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';

/**
 * Returns a function that creates the table or the index that an SQL definition describes, such as
 * `index events_by_type on events (type)`. On PostgreSQL, every text column sorts by bytes, as on SQLite, so that ids
 * sort in the order of their creation in every locale.
 */
export function creating(db: Kysely<unknown>): (definition: string) => Promise<void> {
  const byBytes = (definition: string) => definition.replaceAll(/\btext\b(?! collate)/g, 'text collate "C"');
  return async (definition) => {
    await sql.raw(`create ${isPostgres(db) ? byBytes(definition) : definition}`).execute(db);
  };
}

/**
 * Returns the last column of a list's index: the id. The index consists of the columns of a filter, followed by the id.
 * If a request has several filters, the list uses the index of one filter and checks the other filters row by row.
 *
 * On PostgreSQL, these indexes have the collation "POSIX", and the primary key has the collation "C". Both collations
 * sort the same way, but PostgreSQL cannot use the primary key for a query with the collation "POSIX". With only one
 * collation, PostgreSQL might scan the primary key instead of the index, and might read almost the whole table to find
 * matching rows. See `listId` in `storage/dialect.ts`.
 */
export const listedId = (db: Kysely<unknown>): string => (isPostgres(db) ? 'id collate "POSIX"' : 'id');
