import type { WebhookDeliveryId } from '@svc/contract';
import type { NewEvent } from '../../domain/event.ts';
import { tracingEvents } from '../../runtime/tracing.ts';
import type { Queries } from '../../storage/port.ts';
import { insertDeliveries } from '../../storage/statements/deliveries/accept.ts';
import { findEndpoint } from '../../storage/statements/endpoints.ts';
import { insertEvent } from '../../storage/statements/events.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Handler } from '../operation.ts';

/** A ping is an ordinary event, but it goes only to the given endpoint, whatever that endpoint subscribes to. */
export const sendTestEvent: Handler<'sendTestEvent'> = async ({ services, scope, params }) => {
  const { clock, ids, intake } = services;
  // Read the clock before generating ids. The time in an id is then never before the row's creation time.
  const createdAt = clock.now();
  const deliveryId = ids.next('webhookDelivery');
  const ping: NewEvent = { id: ids.next('event'), workspaceId: scope.workspaceId, type: 'webhook.ping', createdAt };
  const accept = async (queries: Queries, event: NewEvent) => {
    const endpoint = await findEndpoint(queries, scope.workspaceId, params.endpointId);
    if (!endpoint) throw notFound('webhook endpoint', params.endpointId);
    if (!endpoint.active) throw new ApiError('CONFLICT', `The webhook endpoint ${endpoint.id} is inactive.`);
    await insertEvent(queries, event);
    await insertDeliveries(queries, [
      {
        id: deliveryId,
        workspaceId: scope.workspaceId,
        endpointId: endpoint.id,
        eventId: event.id,
        payloadEventId: event.id,
        eventType: event.type,
        status: 'pending',
        createdAt: event.createdAt,
      },
    ]);
  };
  await tracingEvents([ping], ([event = ping]) => intake.accept((queries) => accept(queries, event)));
  return { ping: { deliveryId: deliveryId as WebhookDeliveryId } };
};
