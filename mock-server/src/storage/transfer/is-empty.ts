import { sql } from 'kysely';
import type { Queries } from '../port.ts';
import { TRANSFER_TABLES } from './tables.ts';

/**
 * Whether all tables of an export are empty. Settings do not count, because an import replaces the clock and the
 * faults.
 */
export async function isEmpty(queries: Queries): Promise<boolean> {
  for (const { name } of TRANSFER_TABLES) {
    if (name === 'settings') continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(queries);
    if (rows.length > 0) return false;
  }
  return true;
}
