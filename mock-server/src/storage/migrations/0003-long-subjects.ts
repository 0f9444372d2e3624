import type { Kysely } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { createListIndex } from './initial/create-index.ts';

/**
 * Replaces the indexes for the filters of events by subject. A subject can have 64 KiB, but a row of a PostgreSQL index
 * only 2,704 bytes, so each index now contains only the first 250 characters. Of a longer text, a statement compares
 * the rest row by row. The index of SQLite has no such limit.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  for (const column of ['subject_id', 'subject_type']) {
    const name = `events_by_${column}`;
    await db.schema.dropIndex(name).execute();
    await createListIndex(db, name, 'events', ['workspace_id', `left(${column}, 250)`]);
  }
}
