import { sql } from 'kysely';
import type { Queries } from '../port.ts';

const PREFIX = 'svc-mock ';

/** Names the engine's connections of a node after its roles, so that other nodes see which roles are at work. */
export const connectionNameOf = (roles: readonly string[]): string => PREFIX + roles.join(',');

/** Finds the roles of all nodes that are connected to the database. */
export async function findConnectedRoles(queries: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ roles: string }>`
    select distinct substr(application_name, ${sql.lit(PREFIX.length + 1)}) as roles from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${sql.lit(PREFIX)})`.execute(queries);
  return new Set(rows.flatMap(({ roles }) => roles.split(',')));
}
