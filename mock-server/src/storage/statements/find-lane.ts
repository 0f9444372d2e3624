import type { Queries } from '../port.ts';

/** The lane of an endpoint. It exists once the endpoint has had work. */
export async function findLane(queries: Queries, endpointId: string) {
  return await queries
    .selectFrom('delivery_lanes')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .executeTakeFirst();
}
