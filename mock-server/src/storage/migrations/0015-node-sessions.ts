import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

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
  if (!isPostgres(db)) return;
  // Each delivery leaves dead rows in these tables, however many rows they have. By default, a table of a million rows
  // waits for 200,000 dead ones, and each look at the queue steps over them.
  for (const table of ['delivery_queue', 'delivery_lanes']) {
    await sql`alter table ${sql.table(table)} set (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
  }
}
