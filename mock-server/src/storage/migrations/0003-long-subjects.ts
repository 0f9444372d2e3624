import type { Kysely } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { creating, listedId } from './initial/creating.ts';

/**
 * Replaces the indexes for the filters of events by subject. A subject can have 64 KiB, but a row of a PostgreSQL index
 * can have only 2,704 bytes. So each index now contains only the first 250 characters of a text. For longer texts, a
 * statement also compares the whole text, row by row. SQLite's indexes have no such limit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  const create = creating(db);
  for (const column of ['subject_id', 'subject_type']) {
    await db.schema.dropIndex(`events_by_${column}`).execute();
    await create(`index events_by_${column} on events (workspace_id, left(${column}, 250), ${listedId(db)})`);
  }
}
