import type { ListWebhookDeliveriesQuery } from '@svc/contract';
import { type Bound, idComparison } from '../keyset.ts';
import type { Queries } from '../port.ts';

/** Deliveries of a workspace, newest first. An index for each filter ends in the id, so that a page is read in its order. */
export async function listDeliveries(
  queries: Queries,
  workspaceId: string,
  filter: ListWebhookDeliveriesQuery,
  bound: Bound,
  limit: number,
) {
  const { endpointId, status, eventType, createdFrom, createdTo } = filter;
  return await queries
    .selectFrom('deliveries')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .$if(endpointId !== undefined, (query) => query.where('endpoint_id', '=', String(endpointId)))
    .$if(status !== undefined, (query) => query.where('status', '=', String(status)))
    .$if(eventType !== undefined, (query) => query.where('event_type', '=', String(eventType)))
    .$if(createdFrom !== undefined, (query) => query.where('created_at', '>=', Date.parse(String(createdFrom))))
    .$if(createdTo !== undefined, (query) => query.where('created_at', '<=', Date.parse(String(createdTo))))
    .$if(bound.key !== undefined, (query) => query.where('id', idComparison(bound), String(bound.key)))
    .orderBy('id', bound.side === 'after' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}
