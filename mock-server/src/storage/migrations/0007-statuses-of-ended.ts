import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// Pending deliveries are in the queue, and their list reads the queue. A delivery that ends moves from the queue to the
// table of statuses. Moving it within that table would cost PostgreSQL twice as much as an insert.
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from delivery_statuses where status = 'pending'`.execute(db);
  const workspace = sql`(select workspace_id from deliveries where id = delivery_id)`;
  if (isPostgres(db)) {
    // A queue entry whose delivery no longer exists is removed when it falls due.
    await db.schema
      .alterTable('delivery_queue')
      .addColumn('workspace_id', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`update delivery_queue set workspace_id = coalesce(${workspace}, '')`.execute(db);
    await sql`alter table delivery_queue alter column workspace_id drop default`.execute(db);
  } else {
    await sql`create table delivery_queue_made (
      delivery_id text not null, endpoint_id text not null, retry integer not null, due_at bigint not null,
      workspace_id text not null, primary key (endpoint_id, retry, due_at, delivery_id)) without rowid`.execute(db);
    await sql`insert into delivery_queue_made
      select delivery_id, endpoint_id, retry, due_at, coalesce(${workspace}, '') from delivery_queue`.execute(db);
    await sql`drop table delivery_queue`.execute(db);
    await sql`alter table delivery_queue_made rename to delivery_queue`.execute(db);
  }
  const id = sql.raw(isPostgres(db) ? 'delivery_id collate "POSIX"' : 'delivery_id');
  for (const [name, ...columns] of [
    ['delivery_queue_by_workspace', 'workspace_id'],
    ['delivery_queue_by_endpoint', 'workspace_id', 'endpoint_id'],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('delivery_queue')
      .columns([...columns])
      .column(id)
      .execute();
  }
}
