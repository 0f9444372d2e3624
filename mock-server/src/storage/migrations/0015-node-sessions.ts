import { type Kysely, sql } from 'kysely';

// A node holds lanes under its session. When the session's row is deleted, its lanes are free.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery_nodes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('renewals', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema.dropIndex('delivery_lanes_claimable').execute();
  await db.schema.dropIndex('delivery_lanes_leased').execute();
  for (const column of ['lease_token', 'lease_until', 'holder']) {
    await db.schema.alterTable('delivery_lanes').dropColumn(column).execute();
  }
  await db.schema
    .alterTable('delivery_lanes')
    .addColumn('node', 'text', (column) => column.references('delivery_nodes.id').onDelete('set null'))
    .execute();
  // A claim reads only free lanes, so held lanes cost it nothing.
  await db.schema
    .createIndex('delivery_lanes_free')
    .on('delivery_lanes')
    .column('turn_at')
    .where(sql.ref('node'), 'is', null)
    .execute();
  await db.schema
    .createIndex('delivery_lanes_held')
    .on('delivery_lanes')
    .column('node')
    .where(sql.ref('node'), 'is not', null)
    .execute();
}
