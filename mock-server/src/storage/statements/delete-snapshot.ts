import type { Queries } from '../port.ts';

/** @returns whether it existed. */
export async function deleteSnapshot(queries: Queries, name: string): Promise<boolean> {
  const { numDeletedRows } = await queries.deleteFrom('snapshots').where('name', '=', name).executeTakeFirst();
  return numDeletedRows > 0n;
}
