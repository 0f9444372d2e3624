import type { Kysely } from 'kysely';

// Links the spans of an event's deliveries to the span that accepted it, even days later and on other nodes.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('events').addColumn('traceparent', 'text').execute();
}
