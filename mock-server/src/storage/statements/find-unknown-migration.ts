import { sql } from 'kysely';
import { migrations } from '../migrations/index.ts';
import type { Queries } from '../port.ts';

/**
 * Finds the latest migration in the database that this version of the server does not know. Reads the whole table,
 * which has one row for each migration.
 */
export async function findUnknownMigration(queries: Queries): Promise<string | undefined> {
  const known = sql.join(Object.keys(migrations));
  const { rows } = await sql<{ name: string }>`
    select name from kysely_migration where name not in (${known}) order by name desc limit 1`.execute(queries);
  return rows[0]?.name;
}
