import { sql } from 'kysely';
import type { Queries } from '../port.ts';

const PREFIX = 'svc-mock ';

/**
 * Names the engine's connections of a node after the node and its roles, so that the others see which nodes are alive and
 * what they do. The engine looks at the database every second, so a node that lives has such a connection.
 */
export const connectionNameOf = (node: string, roles: readonly string[]): string =>
  `${PREFIX}${node} ${roles.join(',')}`;

/** Finds the nodes that are connected to the database, with their roles. */
export async function findConnectedNodes(queries: Queries): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ name: string }>`
    select distinct substr(application_name, ${sql.lit(PREFIX.length + 1)}) as name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${sql.lit(PREFIX)})`.execute(queries);
  return new Map(
    rows.map(({ name }) => {
      const [node = '', roles = ''] = name.split(' ');
      return [node, roles.split(',')];
    }),
  );
}
