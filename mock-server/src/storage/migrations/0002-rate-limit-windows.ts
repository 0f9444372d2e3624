import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// A row per credential that called, overwritten with each request. On PostgreSQL it is unlogged: a request then waits
// for no disk, and a crash of the database begins every window anew.
export async function up(db: Kysely<unknown>): Promise<void> {
  const postgres = isPostgres(db);
  await db.schema
    .createTable('rate_limit_windows')
    .$call((table) => (postgres ? table.modifyFront(sql`unlogged`).modifyEnd(sql`with (fillfactor = 50)`) : table))
    .addColumn('credential_id', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('taken', 'integer', (column) => column.notNull())
    .execute();
}
