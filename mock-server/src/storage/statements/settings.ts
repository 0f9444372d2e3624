import { type RawBuilder, sql } from 'kysely';
import type { Fault } from '../../domain/fault.ts';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';
import type { Settings } from '../schema/database.ts';

export async function findSetting<Name extends keyof Settings>(
  queries: Queries,
  name: Name,
  locking: RawBuilder<unknown> = sql``,
) {
  const found = queries.selectFrom('settings').select('value').where('name', '=', name).modifyEnd(locking);
  const row = await found.executeTakeFirst();
  return row && (JSON.parse(row.value) as Settings[Name]);
}

export async function saveSetting<Name extends keyof Settings>(queries: Queries, name: Name, value: Settings[Name]) {
  const text = JSON.stringify(value);
  await queries
    .insertInto('settings')
    .values({ name, value: text })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text }))
    .execute();
}

export async function deleteSetting(queries: Queries, name: keyof Settings): Promise<void> {
  await queries.deleteFrom('settings').where('name', '=', name).execute();
}

/**
 * Stores how far the times in ids may be ahead of the clock, because ids keep increasing even if the clock is set back.
 * A list that filters by creation time must allow for this difference.
 */
export async function raiseIdLead(queries: Queries, leadMs: number): Promise<void> {
  const known = (await findSetting(queries, 'idLeadMs')) ?? 0;
  // Allow for a small difference between the clocks of nodes.
  if (leadMs > 0 && leadMs > known) await saveSetting(queries, 'idLeadMs', leadMs + 1_000);
}

export async function addFault(queries: Queries, fault: Fault): Promise<Fault[]> {
  // Only an existing row can be locked. Without the lock, two servers that add their first faults could lose one.
  await queries
    .insertInto('settings')
    .values({ name: 'faults', value: '[]' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const faults = [...(await lockFaults(queries)), fault];
  await saveSetting(queries, 'faults', faults);
  return faults;
}

/** Reads the faults, and locks their row until the transaction ends. If the row does not exist, nothing is locked. */
export const lockFaults = async (queries: Queries): Promise<Fault[]> =>
  (await findSetting(queries, 'faults', lockingRows(queries))) ?? [];
