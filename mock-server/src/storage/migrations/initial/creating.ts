import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';

/**
 * Returns a function that creates a table or an index from its SQL definition, such as
 * `index events_by_type on events (type)`. On PostgreSQL, every text column sorts by bytes, as on SQLite. So in every
 * locale, ids sort in the order of their creation.
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
 * On PostgreSQL, the id has the collation "POSIX" in these indexes, and the collation "C" in the primary key. Both
 * collations sort the same way, but PostgreSQL cannot use the primary key for a query with the collation "POSIX". If
 * both had the same collation, PostgreSQL might scan the primary key instead of the index. To find matching rows,
 * PostgreSQL might then read almost the whole table. See `listId` in `storage/dialect.ts`.
 */
export const listedId = (db: Kysely<unknown>): string => (isPostgres(db) ? 'id collate "POSIX"' : 'id');
