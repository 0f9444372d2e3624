import type { Kysely } from 'kysely';
import { creating } from './initial/creating.ts';

/** Adds an index for retention and the control API, which look up the deliveries of an event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await creating(db)('index deliveries_by_event on deliveries (event_id)');
}
