import { sql } from 'kysely';
import type { Queries } from '../port.ts';

const CONNECTION_PREFIX = 'svc-mock ';

/**
 * The name of a node's engine connections. The connection name contains the node's name and roles, so that other nodes
 * see which nodes are alive and which roles they have. The engine reads the database every second, so every live node
 * has such a connection.
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
