import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// Lists by status read a separate table. With the status in an index of `deliveries`, PostgreSQL would write to all
// indexes of that table whenever an attempt ends. Without it, an update stays within its page, which is half empty for
// that purpose.
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
