import type { Kysely } from 'kysely';
import { createIndex } from './initial/create-index.ts';

/** Adds an index for retention and the control API, which look up the deliveries of an event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'deliveries_by_event on deliveries (event_id)');
}
