import type { EventType } from '../event-catalog.ts';
import type { WebhookDeliveryId, WebhookEndpointId, WorkspaceId } from '../ids.ts';
import type { JsonValue, Open, Timestamp } from '../open.ts';

/** Every status of a delivery. */
export const DELIVERY_STATUSES = ['pending', 'success', 'failed', 'disabled'] as const;
/**
 * The state of a delivery.
 *
 * {@includeCode ../../../client/test/documented/values.ts#status}
 */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/**
 * All attempts to send one event to one endpoint, and the result.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery}
 */
export interface WebhookDelivery {
  /** The id of the delivery, which is also the `webhook-id` of each attempt. */
  id: WebhookDeliveryId;
  /** The endpoint's workspace. */
  workspaceId: WorkspaceId;
  /** The endpoint that receives the delivery. */
  endpointId: WebhookEndpointId;
  /** The id of the delivered event. For a ping or a replay, this id is synthetic, and might not start with `evt_`. */
  eventId: string;
  /** Type of the event. */
  eventType: Open<EventType>;
  /** The state of the delivery. */
  status: Open<DeliveryStatus>;
  /** The number of finished HTTP attempts. */
  attempt: number;
  /** When the delivery was queued. */
  createdAt: Timestamp;
  /** When the first successful attempt ended. Null if no attempt has succeeded. */
  deliveredAt: Timestamp | null;
  /** A short text about the last failed attempt. Null before the first attempt, and after a successful attempt. */
  error: string | null;
  /**
   * The HTTP status of the receiver's response to the last attempt. Null before the first attempt, and if no response
   * arrived.
   */
  responseStatus: number | null;
  /** The duration of the last attempt in milliseconds. Null before the first attempt. */
  responseTimeMs: number | null;
}

/**
 * A delivery with the fields that only the operation for a single delivery returns.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery-detail}
 */
export interface WebhookDeliveryDetail extends WebhookDelivery {
  /** When the next attempt is due, or when a running attempt became due. Null or absent if no attempt is scheduled. */
  nextAttemptAt?: Timestamp | null;
  /** The request body of the latest attempt. Null or absent before the first attempt. */
  requestBody?: JsonValue;
  /** The request headers of the latest attempt. Null or absent before the first attempt. */
  requestHeaders?: Record<string, string> | null;
  /** The body of the receiver's response, at most 64 KiB. Null or absent if no response arrived. */
  responseBody?: string | null;
  /** The headers of the receiver's response. Null or absent if no response arrived. */
  responseHeaders?: Record<string, string> | null;
  /** The resource that the event is about. Absent for `webhook.ping`. */
  subject?: DeliverySubject;
}

/**
 * The resource that a delivery's event is about.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery-detail}
 */
export interface DeliverySubject {
  /** Id of the resource. */
  id: string;
  /** Type of the resource, for example `workspace`. */
  type: string;
}

/**
 * Query of the delivery list. The service document does not show the names of the filters. This project defines the
 * names.
 */
export interface ListWebhookDeliveriesQuery {
  /** Lists only deliveries to this endpoint. */
  endpointId?: string | undefined;
  /** Lists only deliveries with this status. */
  status?: DeliveryStatus | undefined;
  /** Lists only deliveries of exactly this event type. */
  eventType?: Open<EventType> | undefined;
  /** Lists only deliveries queued at this time or later. ISO 8601 with `Z` or an offset. */
  createdFrom?: Timestamp | undefined;
  /** Lists only deliveries queued at this time or earlier. ISO 8601 with `Z` or an offset. */
  createdTo?: Timestamp | undefined;
}
