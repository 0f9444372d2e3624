import type { Fault } from '../../domain/fault.ts';
import type { Queries } from '../port.ts';
import { lockFaults } from './lock-faults.ts';
import { saveSetting } from './save-setting.ts';

/** Adds a fault behind those that there are. @returns all of them. */
export async function addFault(queries: Queries, fault: Fault): Promise<Fault[]> {
  // There must be a row before it can be locked: two servers that add their first faults at once keep both.
  await queries
    .insertInto('settings')
    .values({ name: 'faults', value: '[]' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const faults = [...(await lockFaults(queries)), fault];
  await saveSetting(queries, 'faults', faults);
  return faults;
}
