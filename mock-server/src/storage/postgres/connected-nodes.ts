import { sql } from 'kysely';
import type { Queries } from '../port.ts';

export const CONNECTION_PREFIX = 'svc-mock ';

/**
 * Names the engine's connections of a node after the node and its roles, so that the others see which nodes are alive and
 * what they do. The engine looks at the database every second, so a node that lives has such a connection.
 */
export const connectionNameOf = (node: string, roles: readonly string[]): string =>
  `${CONNECTION_PREFIX}${node} ${roles.join(',')}`;

/** Finds the nodes that are connected to the database. */
export async function findConnectedNodes(queries: Queries): Promise<{ name: string; roles: readonly string[] }[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct substr(application_name, ${sql.lit(CONNECTION_PREFIX.length + 1)}) as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${sql.lit(CONNECTION_PREFIX)})`.execute(
    queries,
  );
  return rows.map((row) => {
    const [name = '', roles = ''] = row.name.split(' ');
    return { name, roles: roles.split(',') };
  });
}
