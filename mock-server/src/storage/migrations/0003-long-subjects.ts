import type { Kysely } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { creating, listedId } from './initial/creating.ts';

/**
 * A subject can have 64 KiB, but a row of a PostgreSQL index only 2,704 bytes. So the indexes of subjects now contain
 * only the first 250 characters. For longer subjects, statements also compare the whole text, row by row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  const create = creating(db);
  for (const column of ['subject_id', 'subject_type']) {
    await db.schema.dropIndex(`events_by_${column}`).execute();
    await create(`index events_by_${column} on events (workspace_id, left(${column}, 250), ${listedId(db)})`);
  }
}
