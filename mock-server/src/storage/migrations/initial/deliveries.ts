import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../dialect.ts';
import { createIndex, createListIndex } from './create-index.ts';

/**
 * The tables `deliveries`, `delivery_ends` and `delivery_attempts` have no foreign keys: a delivery remains after its
 * endpoint is deleted, and retention deletes deliveries in small steps. Each index costs one page write per attempt, so
 * tables that every attempt changes have only the indexes that queries need.
 */
export async function createDeliveries(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  /** With this clause, SQLite stores a table's rows only in the index of the primary key. */
  const byKey = postgres ? sql`` : sql`without rowid`;
  /** The type of id columns that lists are sorted by. See `listId` in `storage/dialect.ts`. */
  const listedId = postgres ? sql`text collate "POSIX"` : sql`text`;

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('event_id', 'text', (column) => column.notNull())
    .addColumn('payload_event_id', 'text', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await createListIndex(db, 'deliveries_by_workspace', 'deliveries', ['workspace_id']);
  await createListIndex(db, 'deliveries_by_event_type', 'deliveries', ['workspace_id', 'event_type']);

  await db.schema
    .createTable('delivery_queue')
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('retry', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('delivery_id', listedId, (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('payload_event_id', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('response_time_ms', 'integer')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('delivery_queue_key', ['endpoint_id', 'retry', 'due_at', 'delivery_id'])
    .modifyEnd(byKey)
    .execute();
  await createIndex(db, 'delivery_queue_by_workspace on delivery_queue (workspace_id, delivery_id)');
  await createIndex(db, 'delivery_queue_by_endpoint on delivery_queue (workspace_id, endpoint_id, delivery_id)');

  await db.schema
    .createTable('delivery_ends')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('delivery_id', listedId, (column) => column.notNull())
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('response_time_ms', 'integer')
    .addColumn('error', 'text')
    .addPrimaryKeyConstraint('delivery_ends_key', ['workspace_id', 'status', 'delivery_id'])
    .modifyEnd(byKey)
    .execute();
  // This is the only index that sorts ended deliveries by endpoint. Such an index is expensive: consecutive inserts
  // belong to different endpoints, so each insert writes to a different page.
  await createIndex(db, 'delivery_ends_by_endpoint on delivery_ends (workspace_id, endpoint_id, status, delivery_id)');

  await db.schema
    .createTable('delivery_attempts')
    .addColumn('delivery_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint', (column) => column.notNull())
    .addColumn('request_headers', 'text', (column) => column.notNull())
    .addColumn('response_status', 'integer')
    .addColumn('response_headers', 'text')
    .addColumn('response_body', 'text')
    .addColumn('response_time_ms', 'integer', (column) => column.notNull())
    .addColumn('error', 'text')
    .addColumn('late', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('delivery_attempts_key', ['delivery_id', 'id'])
    .modifyEnd(byKey)
    .execute();

  await createLanes(db);
  if (!postgres) return;
  await sql`alter table delivery_lanes set (fillfactor = 50)`.execute(db);
  // Each delivery leaves dead rows in these tables, and each query of the queue must skip all dead rows. By default,
  // autovacuum waits until a table of a million rows has 200,000 dead rows.
  for (const table of ['delivery_queue', 'delivery_lanes']) {
    await sql`alter table ${sql.table(table)} set (
      autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
    )`.execute(db);
  }
}

/** Creates the tables of sessions and lanes. Deleting a session's row frees the lanes that the session holds. */
async function createLanes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('delivery_nodes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('renewals', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('delivery_lanes')
    .addColumn('endpoint_id', 'text', (column) => column.primaryKey())
    .addColumn('turn_at', 'bigint')
    .addColumn('node', 'text', (column) => column.references('delivery_nodes.id').onDelete('set null'))
    .execute();
  // This index contains only free lanes, so that held lanes do not slow down a claim.
  await createIndex(db, 'delivery_lanes_free on delivery_lanes (turn_at) where node is null');
  await createIndex(db, 'delivery_lanes_held on delivery_lanes (node) where node is not null');
}
