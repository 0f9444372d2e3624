import type {
  EventId,
  JsonValue,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryId,
  WebhookEndpointId,
  WorkspaceId,
} from '@svc/contract';
import type { AttemptTable, EventTable } from '../../storage/schema/webhooks.ts';
import type { StoredDelivery } from '../../storage/statements/deliveries/read.ts';
import { toTimestamp, toTimestampOrNull } from './timestamp.ts';

export function presentDelivery(row: StoredDelivery): WebhookDelivery {
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

/** Like {@link presentDelivery}, but with more fields, such as the request and the response of the latest attempt. */
export function presentDeliveryDetail(
  row: StoredDelivery,
  event: Pick<EventTable, 'body' | 'subject_type' | 'subject_id'> | undefined,
  attempt: AttemptTable | undefined,
): WebhookDeliveryDetail {
  return {
    ...presentDelivery(row),
    nextAttemptAt: toTimestampOrNull(row.next_attempt_at),
    requestBody: attempt && event ? (JSON.parse(event.body) as JsonValue) : null,
    requestHeaders: attempt ? parseHeaders(attempt.request_headers) : null,
    responseBody: attempt?.response_body ?? null,
    responseHeaders: attempt ? parseHeaders(attempt.response_headers) : null,
    ...(event?.subject_type != null &&
      event.subject_id != null && { subject: { id: event.subject_id, type: event.subject_type } }),
  };
}

const parseHeaders = (text: string | null) => (text === null ? null : (JSON.parse(text) as Record<string, string>));
