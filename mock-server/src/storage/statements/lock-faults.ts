import type { Fault } from '../../domain/fault.ts';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** The faults in force. Until the transaction ends nobody else changes them, once there has been one. */
export async function lockFaults(queries: Queries): Promise<Fault[]> {
  const row = await queries
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'faults')
    .modifyEnd(lockingRows(queries))
    .executeTakeFirst();
  return row ? (JSON.parse(row.value) as Fault[]) : [];
}
