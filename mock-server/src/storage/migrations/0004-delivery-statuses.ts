import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// The lists by status are read from a table of their own. A status that stands in an index of `deliveries` makes
// PostgreSQL write into every one of its indexes whenever an attempt ends; without it, an update stays within its page,
// where half of the room is left for that.
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery_statuses')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .execute();
  await sql`insert into delivery_statuses select workspace_id, endpoint_id, status, id from deliveries`.execute(db);
  const id = sql.raw(isPostgres(db) ? 'delivery_id collate "POSIX"' : 'delivery_id');
  await db.schema
    .createIndex('delivery_statuses_by_workspace')
    .on('delivery_statuses')
    .columns(['workspace_id', 'status'])
    .column(id)
    .execute();
  await db.schema
    .createIndex('delivery_statuses_by_endpoint')
    .on('delivery_statuses')
    .columns(['workspace_id', 'endpoint_id', 'status'])
    .column(id)
    .execute();
  await db.schema.dropIndex('deliveries_by_status').execute();
  await db.schema.dropIndex('deliveries_by_endpoint_and_status').execute();
  if (!isPostgres(db)) return;
  await sql`alter table deliveries set (fillfactor = 50)`.execute(db);
  await sql`alter table delivery_lanes set (fillfactor = 50)`.execute(db);
}
