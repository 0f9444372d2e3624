import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// Rows that attempts write are stored only under the key that finds them: an attempt under its delivery, a queue entry
// under its lane. Each index that we do not have saves writing a page.
export async function up(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) {
    await sql`alter table delivery_attempts drop constraint delivery_attempts_pkey`.execute(db);
    await db.schema.dropIndex('delivery_attempts_by_delivery').execute();
    await sql`alter table delivery_attempts add primary key (delivery_id, id)`.execute(db);
    await sql`alter table delivery_queue drop constraint delivery_queue_pkey`.execute(db);
    await db.schema.dropIndex('delivery_queue_by_lane').execute();
    await sql`alter table delivery_queue add primary key (endpoint_id, retry, due_at, delivery_id)`.execute(db);
    return;
  }
  await rebuild(db, 'delivery_attempts', 'delivery_id, id', [
    'id text not null',
    'delivery_id text not null',
    'number integer not null',
    'url text not null',
    'started_at bigint not null',
    'ended_at bigint not null',
    'request_headers text not null',
    'response_status integer',
    'response_headers text',
    'response_body text',
    'response_time_ms integer not null',
    'error text',
    'late integer not null',
  ]);
  await rebuild(db, 'delivery_queue', 'endpoint_id, retry, due_at, delivery_id', [
    'delivery_id text not null',
    'endpoint_id text not null',
    'retry integer not null',
    'due_at bigint not null',
  ]);
  await rebuild(db, 'delivery_statuses', 'workspace_id, endpoint_id, status, delivery_id', [
    'workspace_id text not null',
    'endpoint_id text not null',
    'status text not null',
    'delivery_id text not null',
  ]);
  await db.schema
    .createIndex('delivery_statuses_by_workspace')
    .on('delivery_statuses')
    .columns(['workspace_id', 'status', 'delivery_id'])
    .execute();
}

/** Rebuilds a SQLite table that stores its rows only in the order of their key. */
async function rebuild(db: Kysely<unknown>, table: string, key: string, columns: readonly string[]): Promise<void> {
  await sql.raw(`create table ${table}_made (${columns.join(', ')}, primary key (${key})) without rowid`).execute(db);
  await sql.raw(`insert into ${table}_made select * from ${table} order by ${key}`).execute(db);
  await sql.raw(`drop table ${table}`).execute(db);
  await sql.raw(`alter table ${table}_made rename to ${table}`).execute(db);
}
