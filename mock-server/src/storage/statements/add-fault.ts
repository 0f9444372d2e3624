import type { Fault } from '../../domain/fault.ts';
import type { Queries } from '../port.ts';
import { lockFaults } from './lock-faults.ts';
import { saveSetting } from './save-setting.ts';

/** Adds a fault after the existing ones. @returns all faults. */
export async function addFault(queries: Queries, fault: Fault): Promise<Fault[]> {
  // The row must exist before it can be locked. Then two servers that add their first faults at once keep both.
  await queries
    .insertInto('settings')
    .values({ name: 'faults', value: '[]' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const faults = [...(await lockFaults(queries)), fault];
  await saveSetting(queries, 'faults', faults);
  return faults;
}
