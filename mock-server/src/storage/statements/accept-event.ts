import { matchesEventPattern } from '@svc/contract';
import type { NewEvent } from '../../domain/event.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { Queries } from '../port.ts';
import { together } from '../together.ts';
import { insertDeliveries, type NewDelivery } from './insert-deliveries.ts';
import { insertEvent } from './insert-event.ts';

/**
 * Stores an event and, in the same transaction, a delivery to each subscribed endpoint of the workspace: `pending` for
 * active endpoints, `disabled` for the others (service document, "Webhook delivery status").
 *
 * A workspace has at most 100 endpoints, so they are matched here and not in SQL.
 */
export async function acceptEvent(queries: Queries, ids: Ids, event: NewEvent): Promise<NewDelivery[]> {
  const [endpoints] = await together([
    queries
      .selectFrom('webhook_endpoints')
      .select(['id', 'active', 'subscribed_events'])
      .where('workspace_id', '=', event.workspaceId)
      .orderBy('id')
      .execute(),
    insertEvent(queries, event),
  ]);
  const deliveries = endpoints
    .filter((endpoint) =>
      (JSON.parse(endpoint.subscribed_events) as string[]).some((pattern) => matchesEventPattern(pattern, event.type)),
    )
    .map(
      (endpoint): NewDelivery => ({
        id: ids.next('webhookDelivery'),
        workspaceId: event.workspaceId,
        endpointId: endpoint.id,
        eventId: event.id,
        payloadEventId: event.id,
        eventType: event.type,
        status: endpoint.active ? 'pending' : 'disabled',
        createdAt: event.createdAt,
      }),
    );
  await insertDeliveries(queries, deliveries);
  return deliveries;
}
