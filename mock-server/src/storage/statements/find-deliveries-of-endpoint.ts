import type { Queries } from '../port.ts';
import { listDeliveries } from './list-deliveries.ts';

/** The newest deliveries of an endpoint, at most `limit`; `undefined` if there is no such endpoint. */
export async function findDeliveriesOfEndpoint(queries: Queries, endpointId: string, limit: number) {
  const endpoint = await queries
    .selectFrom('webhook_endpoints')
    .select('workspace_id')
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (!endpoint) return undefined;
  return await listDeliveries(
    queries,
    endpoint.workspace_id,
    { endpointId },
    { side: 'after', key: undefined, inclusive: false },
    limit,
  );
}
