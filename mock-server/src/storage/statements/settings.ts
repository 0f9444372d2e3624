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

/** Reads the faults, and locks their row until the transaction ends. If the row does not exist, nothing is locked. */
export const lockFaults = async (queries: Queries): Promise<Fault[]> =>
  (await findSetting(queries, 'faults', lockingRows(queries))) ?? [];
