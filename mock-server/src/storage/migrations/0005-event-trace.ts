import type { Kysely } from 'kysely';

// By it the spans of an event's deliveries are linked to the span that accepted it, days later and on other nodes.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('traceparent', 'text').execute();
}
