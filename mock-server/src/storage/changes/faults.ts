import type { Fault } from '../../domain/fault.ts';
import type { Queries } from '../port.ts';
import { lockFaults, saveSetting } from '../statements/settings.ts';

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
