import type { EventType } from '../events.ts';
import type { EventId, WebhookDeliveryId, WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { JsonValue, Open, Timestamp } from '../open.ts';

/** Every status of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'success', 'failed', 'disabled'] as const;
/**
 * Where a delivery stands (service document, "Webhook delivery status").
 *
 * {@includeCode ../../../client/test/documented/values.ts#status}
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * One event on its way to one endpoint, over all its attempts (service document, "Webhook delivery").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery}
 */
export interface WebhookDelivery {
  id: WebhookDeliveryId;
  workspaceId: WorkspaceId;
  /** The endpoint it goes to. */
  endpointId: WebhookEndpointId;
  /** The event it carries; of a replay, an id of its own. */
  eventId: EventId;
  eventType: Open<EventType>;
  status: Open<DeliveryStatus>;
  /** HTTP attempts finished so far. */
  attempt: number;
  /** When the row was enqueued. */
  createdAt: Timestamp;
  /** Time of the first success; null while pending or failed. */
  deliveredAt: Timestamp | null;
  /** Short text about the last failed attempt; null while succeeding or before the first attempt. */
  error: string | null;
  /** The receiver's HTTP status on the last attempt; null before the first, and where no answer came. */
  responseStatus: number | null;
  /** Round trip of the last attempt in milliseconds; null before the first. */
  responseTimeMs: number | null;
}

/**
 * A delivery with its snapshot fields, as retrieving one gives it (service document, "Webhook delivery").
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery-detail}
 */
export interface WebhookDeliveryDetail extends WebhookDelivery {
  /** When the next attempt is due; null once nothing is scheduled. */
  nextAttemptAt: Timestamp | null;
  /** Body of the most recent attempt; null before the first. */
  requestBody: JsonValue;
  /** Headers of the most recent attempt; null before the first. */
  requestHeaders: Record<string, string> | null;
  /** The receiver's body, at most 64 KiB; null where no answer came. */
  responseBody: string | null;
  /** The receiver's headers; null where no answer came. */
  responseHeaders: Record<string, string> | null;
  /** What the event is about; absent for `webhook.ping`. */
  subject?: DeliverySubject;
}

/**
 * What a delivery's event is about.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery-detail}
 */
export interface DeliverySubject {
  id: string;
  type: string;
}

/** Query of the list (service document, "Webhook deliveries"). */
export interface ListWebhookDeliveriesQuery {
  endpointId?: string | undefined;
  status?: DeliveryStatus | undefined;
  /** Exact match. */
  eventType?: Open<EventType> | undefined;
  /** Inclusive; ISO 8601 with `Z` or an offset. */
  createdFrom?: Timestamp | undefined;
  /** Inclusive; ISO 8601 with `Z` or an offset. */
  createdTo?: Timestamp | undefined;
}
