import type { Queries } from '../port.ts';

/** A delivery of any workspace, for the control API. */
export async function findDeliveryAnywhere(queries: Queries, id: string) {
  return await queries.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst();
}
