import type { Kysely } from 'kysely';
import { createIndex } from './initial/create-index.ts';

/** Retention and the control API look for the deliveries of an event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndex(db, 'deliveries_by_event on deliveries (event_id)');
}
