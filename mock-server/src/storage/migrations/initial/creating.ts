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
 * If a request has several filters, the query uses the index of one filter. It checks the other filters row by row.
 *
 * On PostgreSQL, the id has the collation "POSIX" in these indexes, and the collation "C" in the primary key. Both
 * collations sort the same way. But a query with the collation "POSIX" cannot use the primary key. If the primary key
 * had the same collation, PostgreSQL might scan the primary key instead of a filter's index, and read almost the whole
 * table to find the matching rows. See `listId` in `storage/dialect.ts`.
 */
export const listedId = (db: Kysely<unknown>): string => (isPostgres(db) ? 'id collate "POSIX"' : 'id');
