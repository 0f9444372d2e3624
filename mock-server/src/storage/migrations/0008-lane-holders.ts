import type { Kysely } from 'kysely';

// The node that holds a lane. Other nodes free its lanes when it is gone.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('delivery_lanes').addColumn('holder', 'text').execute();
}
