import { sql } from 'kysely';
import type { Queries } from '../port.ts';

const CONNECTION_PREFIX = 'svc-mock ';

/**
 * Returns the name for an engine's connections. Other nodes use these names to find live nodes and their roles: a live
 * node always has a connection, because its engine reads the database every second.
 */
export const connectionNameOf = (node: string, roles: readonly string[]): string =>
  `${CONNECTION_PREFIX}${node} ${roles.join(',')}`;

export async function findConnectedNodes(queries: Queries): Promise<{ name: string; roles: readonly string[] }[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct substr(application_name, ${sql.lit(CONNECTION_PREFIX.length + 1)}) as name from pg_stat_activity
    where datname = current_database()
      and starts_with(application_name, ${sql.lit(CONNECTION_PREFIX)})`.execute(queries);
  return rows.map((row) => {
    const [name = '', roles = ''] = row.name.split(' ');
    return { name, roles: roles.split(',') };
  });
}
