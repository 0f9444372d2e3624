import { Kysely, PostgresDialect, sql } from 'kysely';
import { createStartPool } from '../../../src/storage/postgres/connections.ts';
import type { Database } from '../../../src/storage/schema/database.ts';
import { wipe } from '../../../src/storage/wipe.ts';

/** Deletes every row. @returns whether nobody else is connected to the database, so that it stays empty. */
export async function emptyDatabase(url: string): Promise<boolean> {
  const queries = new Kysely<Database>({ dialect: new PostgresDialect({ pool: createStartPool(url) }) });
  try {
    await queries.transaction().execute(wipe);
    await queries.deleteFrom('settings').execute();
    const { rows } = await sql<{ others: number }>`
      select count(*) as others from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(queries);
    return rows[0]?.others === 0;
  } finally {
    await queries.destroy();
  }
}
