import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';

/**
 * Creates tables and indexes from definitions such as `index events_by_type on events (type)`. On PostgreSQL, text
 * columns sort by bytes, as on SQLite. So ids sort in the order of their creation in every locale.
 */
export function creating(db: Kysely<unknown>): (definition: string) => Promise<void> {
  const byBytes = (definition: string) => definition.replaceAll(/\btext\b(?! collate)/g, 'text collate "C"');
  return async (definition) => {
    await sql.raw(`create ${isPostgres(db) ? byBytes(definition) : definition}`).execute(db);
  };
}

/**
 * The last column of each index for a filter: the id. On PostgreSQL, it has the collation "POSIX" (see `listId`), and
 * the primary key has "C". These collations sort in the same way. If both had the same collation, PostgreSQL might scan
 * the primary key instead of a filter's index, and read almost the whole table to find the matching rows.
 */
export const listedId = (db: Kysely<unknown>): string => (isPostgres(db) ? 'id collate "POSIX"' : 'id');
