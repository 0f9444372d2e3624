import type { Queries } from '../port.ts';
import { listDeliveries } from './list-deliveries.ts';
import type { StoredDelivery } from './read-deliveries.ts';

/** The newest deliveries of an endpoint, at most `limit`; `undefined` if there is no such endpoint. */
export async function findDeliveriesOfEndpoint(
  queries: Queries,
  endpointId: string,
  limit: number,
): Promise<StoredDelivery[] | undefined> {
  const endpoint = await queries
    .selectFrom('webhook_endpoints')
    .select('workspace_id')
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (!endpoint) return undefined;
  const newest = { side: 'after', key: undefined, inclusive: false } as const;
  return await listDeliveries(queries, endpoint.workspace_id, { endpointId }, newest, limit);
}
