import type { Fault } from '../../domain/fault.ts';
import { lockingRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** The current faults. Once there has been a fault, nobody else can change them until the transaction ends. */
export async function lockFaults(queries: Queries): Promise<Fault[]> {
  const row = await queries
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'faults')
    .modifyEnd(lockingRows(queries))
    .executeTakeFirst();
  return row ? (JSON.parse(row.value) as Fault[]) : [];
}
