import type { WebhookDeliveryId, WebhookEndpointId } from '@svc/contract';
import { insertDeliveries } from '../../storage/statements/deliveries/accept.ts';
import { listDeliveries } from '../../storage/statements/deliveries/list.ts';
import { findDelivery, findDeliveryDetail } from '../../storage/statements/deliveries/read.ts';
import { findEndpoint } from '../../storage/statements/endpoints.ts';
import { insertReplayedEvent, keepEvent } from '../../storage/statements/events.ts';
import { ApiError, notFound } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { presentDelivery, presentDeliveryDetail } from '../present/delivery.ts';

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async (request) =>
  await respondWithPage(
    request,
    (bound, limit) =>
      request.services.storage.read((queries) =>
        listDeliveries(queries, { ...request.query, workspaceId: request.scope.workspaceId }, bound, limit),
      ),
    (row) => row.id,
    presentDelivery,
  );

export const retrieveWebhookDelivery: Handler<'retrieveWebhookDelivery'> = async ({ services, scope, params }) => {
  const found = await services.storage.read((queries) =>
    findDeliveryDetail(queries, scope.workspaceId, params.deliveryId),
  );
  if (!found) throw notFound('webhook delivery', params.deliveryId);
  return { delivery: presentDeliveryDetail(found.delivery, found.event, found.lastAttempt) };
};

export const replayWebhookDelivery: Handler<'replayWebhookDelivery'> = async ({ services, scope, params }) => {
  const { clock, ids, intake } = services;
  const { workspaceId } = scope;
  // Read the clock before generating ids, so that the time in an id is never before the row's creation time.
  const createdAt = clock.now();
  const id = ids.next('webhookDelivery') as WebhookDeliveryId;
  const eventId = ids.next('event');
  const endpointId = await intake.accept(async (queries) => {
    const original = await findDelivery(queries, workspaceId, params.deliveryId);
    // The delivery may be missing now, because retention may be deleting it and its event at the same time.
    const isThere = original && (await keepEvent(queries, original.payload_event_id));
    if (!isThere) throw notFound('webhook delivery', params.deliveryId);
    const endpoint = await findEndpoint(queries, workspaceId, original.endpoint_id);
    if (!endpoint?.active) {
      throw new ApiError(
        'CONFLICT',
        `The webhook endpoint ${original.endpoint_id} is ${endpoint ? 'inactive' : 'deleted'}.`,
      );
    }
    await insertReplayedEvent(queries, { id: eventId, workspaceId, originalEventId: original.payload_event_id });
    await insertDeliveries(queries, [
      {
        id,
        workspaceId,
        endpointId: endpoint.id,
        eventId,
        payloadEventId: original.payload_event_id,
        eventType: original.event_type,
        status: 'pending',
        createdAt,
      },
    ]);
    return endpoint.id as WebhookEndpointId;
  });
  return { delivery: { endpointId, id } };
};
