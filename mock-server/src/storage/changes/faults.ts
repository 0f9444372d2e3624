import { type Fault, type FaultSubject, pass } from '../../domain/fault.ts';
import type { Queries } from '../port.ts';
import { lockFaults, saveSetting } from '../statements/settings.ts';

export async function addFault(queries: Queries, fault: Fault): Promise<Fault[]> {
  // Insert the row first, because only an existing row can be locked. Without the lock, if two servers added their
  // first faults at the same time, one of these faults could be lost.
  await queries
    .insertInto('settings')
    .values({ name: 'faults', value: '[]' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const faults = [...(await lockFaults(queries)), fault];
  await saveSetting(queries, 'faults', faults);
  return faults;
}

export async function removeFault(queries: Queries, id: string): Promise<{ removed: boolean; left: Fault[] }> {
  const all = await lockFaults(queries);
  const left = all.filter((fault) => fault.id !== id);
  const removed = left.length < all.length;
  if (removed) await saveSetting(queries, 'faults', left);
  return { removed, left };
}

/** Finds the fault that applies to the subject, and saves the new counts of all faults. */
export async function passFaults(queries: Queries, subject: FaultSubject, drawKey?: string) {
  const result = pass(await lockFaults(queries), subject, drawKey);
  if (result.faults.length > 0) await saveSetting(queries, 'faults', result.faults);
  return result;
}
