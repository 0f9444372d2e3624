import type {
  EventId,
  JsonValue,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryId,
  WebhookEndpointId,
  WorkspaceId,
} from '@svc/contract';
import { sentHeaders } from '../../domain/attempt-headers.ts';
import { insertDeliveries } from '../../storage/delivery/accept.ts';
import { listDeliveries } from '../../storage/statements/deliveries/list.ts';
import { findDelivery, findDeliveryDetail, type StoredDelivery } from '../../storage/statements/deliveries/read.ts';
import { findEndpoint } from '../../storage/statements/endpoints.ts';
import { insertReplayedEvent, keepEvent } from '../../storage/statements/events.ts';
import { conflict, found, notFound } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import type { Handler } from '../operation.ts';
import { toTimestamp, toTimestampOrNull } from '../present.ts';

export const listWebhookDeliveries: Handler<'listWebhookDeliveries'> = async (request) =>
  await respondWithPage(
    request,
    (queries, bound, limit) =>
      listDeliveries(queries, { ...request.query, workspaceId: request.scope.workspaceId }, bound, limit),
    (row) => row.id,
    presentDelivery,
  );

export const retrieveWebhookDelivery: Handler<'retrieveWebhookDelivery'> = async ({ services, scope, params }) => {
  const detail = await services.storage.read((queries) =>
    findDeliveryDetail(queries, scope.workspaceId, params.deliveryId),
  );
  return { delivery: presentDeliveryDetail(found(detail, 'webhook delivery', params.deliveryId)) };
};

export const replayWebhookDelivery: Handler<'replayWebhookDelivery'> = async ({ services, scope, params }) => {
  const { clock, ids, intake, storage } = services;
  const { workspaceId } = scope;
  // Read the clock first, so that the time in an id is never before the row's creation time.
  const createdAt = clock.now();
  const id = ids.next('webhookDelivery') as WebhookDeliveryId;
  const eventId = ids.next('event');
  const endpointId = await intake.accept(storage, async (queries) => {
    const original = await findDelivery(queries, workspaceId, params.deliveryId);
    // Retention may have just deleted the delivery and its event.
    const isThere = original && (await keepEvent(queries, original.payload_event_id));
    if (!isThere) throw notFound('webhook delivery', params.deliveryId);
    const endpoint = await findEndpoint(queries, workspaceId, original.endpoint_id);
    if (!endpoint?.active) {
      throw conflict(`The webhook endpoint ${original.endpoint_id} is ${endpoint ? 'inactive' : 'deleted'}.`);
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

function presentDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    id: row.id as WebhookDeliveryId,
    workspaceId: row.workspace_id as WorkspaceId,
    endpointId: row.endpoint_id as WebhookEndpointId,
    eventId: row.event_id as EventId,
    eventType: row.event_type,
    status: row.status,
    attempt: row.attempt,
    createdAt: toTimestamp(row.created_at),
    deliveredAt: toTimestampOrNull(row.delivered_at),
    error: row.error,
    responseStatus: row.response_status,
    responseTimeMs: row.response_time_ms,
  };
}

type FoundDetail = NonNullable<Awaited<ReturnType<typeof findDeliveryDetail>>>;

function presentDeliveryDetail({ delivery, event, lastAttempt }: FoundDetail): WebhookDeliveryDetail {
  return {
    ...presentDelivery(delivery),
    nextAttemptAt: toTimestampOrNull(delivery.next_attempt_at),
    requestBody: lastAttempt && event ? (JSON.parse(event.body) as JsonValue) : null,
    requestHeaders: lastAttempt ? sentHeaders(lastAttempt, event?.body) : null,
    responseBody: lastAttempt?.response_body ?? null,
    responseHeaders: parseHeaders(lastAttempt?.response_headers),
    ...(event?.subject_type != null &&
      event.subject_id != null && { subject: { id: event.subject_id, type: event.subject_type } }),
  };
}

const parseHeaders = (text: string | null | undefined) =>
  text == null ? null : (JSON.parse(text) as Record<string, string>);
