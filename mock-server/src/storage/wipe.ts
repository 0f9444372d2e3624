import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import { TABLES } from './transfer/tables.ts';

/**
 * Deletes all data, the stored state of the clock, and the faults. Keeps the snapshots and all other settings, such as
 * `masterKeyMark` and `idLeadMs`. The sessions of all nodes are deleted too, so every node discards the results of
 * attempts that started before the wipe.
 */
export async function wipe(queries: Queries): Promise<void> {
  const wiped = TABLES.filter((table) => table !== 'settings' && table !== 'snapshots');
  if (isPostgres(queries)) {
    // Wait for the running transactions of other nodes, and make the next transactions of these nodes wait. Otherwise,
    // a transaction that adds rows during the wipe would leave deliveries without events. Deadlocks are rare, because
    // the wipe locks the tables in the order of the other transactions. The engines first lock a node's session.
    // Evaluations and imports of profiles first lock a workspace's row in `lifecycles`. The API locks parent tables
    // before child tables.
    const first = ['delivery_nodes', 'lifecycles'] as const;
    const inOrder = [...first, ...wiped.filter((table) => !(first as readonly string[]).includes(table))];
    await sql`lock table ${sql.join(inOrder.map((table) => sql.table(table)))} in exclusive mode`.execute(queries);
  }
  // Delete child tables before parent tables, because of foreign keys.
  for (const table of wiped.toReversed()) await queries.deleteFrom(table).execute();
  await queries.deleteFrom('settings').where('name', 'in', ['clock', 'faults']).execute();
}

/** Waits until a running wipe by another node has ended. A later wipe waits until this transaction has ended. */
export async function waitForWipe(queries: Queries): Promise<void> {
  if (isPostgres(queries)) await sql`lock table delivery_nodes in row exclusive mode`.execute(queries);
}
