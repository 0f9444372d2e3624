import type { ListWebhookDeliveriesQuery } from '@svc/contract';
import { DRAWN_WITHIN_MS, highestIdAt, lowestIdAt } from '../../domain/id-time.ts';
import { listId } from '../dialect.ts';
import { type Bound, idComparison } from '../keyset.ts';
import type { Queries } from '../port.ts';
import { findSetting } from './find-setting.ts';

/**
 * Deliveries of a workspace, newest first. Each filter has an index that ends in the id, so a page is read in order.
 * Bounds of the creation time become bounds of the id too, so rows outside of them are not read.
 */
export async function listDeliveries(
  queries: Queries,
  workspaceId: string,
  filter: ListWebhookDeliveriesQuery,
  bound: Bound,
  limit: number,
) {
  const { endpointId, status, eventType } = filter;
  const from = filter.createdFrom === undefined ? undefined : Date.parse(filter.createdFrom);
  const to = filter.createdTo === undefined ? undefined : Date.parse(filter.createdTo);
  // For a status, the page comes from the table that lists it, in its order. The delivery rows are then looked up.
  const id = listId(queries, status === undefined ? 'deliveries.id' : 'listed.delivery_id');
  const leadMs = to === undefined ? 0 : ((await findSetting(queries, 'idLeadMs')) ?? 0);
  return await queries
    .selectFrom('deliveries')
    .selectAll('deliveries')
    .$if(status === undefined, (query) =>
      query
        .where('deliveries.workspace_id', '=', workspaceId)
        .$if(endpointId !== undefined, (found) => found.where('deliveries.endpoint_id', '=', String(endpointId))),
    )
    .$if(status !== undefined, (query) =>
      query
        .innerJoin(listOf(queries, String(status)), 'listed.delivery_id', 'deliveries.id')
        .where('listed.workspace_id', '=', workspaceId)
        .$if(endpointId !== undefined, (joined) => joined.where('listed.endpoint_id', '=', String(endpointId))),
    )
    .$if(eventType !== undefined, (query) => query.where('event_type', '=', String(eventType)))
    .$if(from !== undefined, (query) =>
      query
        .where(id, '>=', lowestIdAt('webhookDelivery', Number(from) - DRAWN_WITHIN_MS))
        .where('created_at', '>=', Number(from)),
    )
    .$if(to !== undefined, (query) =>
      query
        .where(id, '<=', highestIdAt('webhookDelivery', Number(to) + leadMs + DRAWN_WITHIN_MS))
        .where('created_at', '<=', Number(to)),
    )
    .$if(bound.key !== undefined, (query) => query.where(id, idComparison(bound), String(bound.key)))
    .orderBy(id, bound.side === 'after' ? 'desc' : 'asc')
    .limit(limit)
    .execute();
}

/** The list for a status: the queue for pending deliveries, the table of statuses for the others. */
function listOf(queries: Queries, status: string) {
  const columns = ['workspace_id', 'endpoint_id', 'delivery_id'] as const;
  return status === 'pending'
    ? queries.selectFrom('delivery_queue').select(columns).as('listed')
    : queries.selectFrom('delivery_statuses').select(columns).where('status', '=', status).as('listed');
}
