import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

// One row for each credential that has called. Each request overwrites it. On PostgreSQL the table is unlogged, so that
// a request does not wait for the disk. After a crash of the database, all windows start again.
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
