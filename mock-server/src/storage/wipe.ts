import type { Queries } from './port.ts';
import { TABLES } from './transfer/tables.ts';

/**
 * Deletes all data, the clock and the faults. Keeps the snapshots and all other settings, such as `masterKeyMark` and
 * `idLeadMs`. Also deletes the sessions of all nodes. As a result, every node discards the results of attempts that
 * started before the wipe.
 */
export async function wipe(queries: Queries): Promise<void> {
  const wiped = TABLES.filter((table) => table !== 'settings' && table !== 'snapshots');
  // Delete the rows of child tables before the rows of parent tables, because of foreign keys.
  for (const table of wiped.toReversed()) await queries.deleteFrom(table).execute();
  await queries.deleteFrom('settings').where('name', 'in', ['clock', 'faults']).execute();
}
