import { sql } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import { TABLES } from './transfer/tables.ts';

/**
 * Deletes all data, the clock and the faults, but keeps the snapshots and the other settings. Also deletes the
 * sessions, so every node discards the results of attempts that started before the wipe.
 */
export async function wipe(queries: Queries): Promise<void> {
  const wiped = TABLES.filter((table) => table !== 'settings' && table !== 'snapshots');
  if (isPostgres(queries)) {
    // Wait for the running transactions of other nodes, and make their next transactions wait. Otherwise, a transaction
    // could leave deliveries without events. To avoid deadlocks, lock the tables in the same order as other
    // transactions: the engines lock a node's session first, evaluations and profile imports lock a row in `lifecycles`
    // first, and the API locks parent tables before child tables.
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
