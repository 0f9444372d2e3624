import type { Kysely } from 'kysely';

// Names the node that holds a lane, so that the others can free its lanes when it is gone.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('delivery_lanes').addColumn('holder', 'text').execute();
}
