import type { EventType } from '../events.ts';
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
 * One event on its way to one endpoint, with all its attempts.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery}
 */
export interface WebhookDelivery {
  /** Id of the delivery. It is also the `webhook-id` of each attempt. */
  id: WebhookDeliveryId;
  /** The endpoint's workspace. */
  workspaceId: WorkspaceId;
  /** The endpoint that receives it. */
  endpointId: WebhookEndpointId;
  /** The event that it delivers. A replay has a new id here. It need not start with `evt_`. */
  eventId: string;
  /** Type of the event. */
  eventType: Open<EventType>;
  /** The state of the delivery. */
  status: Open<DeliveryStatus>;
  /** Finished HTTP attempts. */
  attempt: number;
  /** When the delivery was queued. */
  createdAt: Timestamp;
  /** Time of the first success. Null while pending or failed. */
  deliveredAt: Timestamp | null;
  /** Short text about the last failed attempt. Null after a success and before the first attempt. */
  error: string | null;
  /** The receiver's HTTP status on the last attempt. Null before the first attempt, and if no response arrived. */
  responseStatus: number | null;
  /** Duration of the last attempt in milliseconds. Null before the first attempt. */
  responseTimeMs: number | null;
}

/**
 * A delivery with its snapshot fields, as returned when retrieving a single one.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery-detail}
 */
export interface WebhookDeliveryDetail extends WebhookDelivery {
  /** When the next attempt is due. Null or absent if none is scheduled. */
  nextAttemptAt?: Timestamp | null;
  /** Body of the latest attempt. Null or absent before the first attempt. */
  requestBody?: JsonValue;
  /** Headers of the latest attempt. Null or absent before the first attempt. */
  requestHeaders?: Record<string, string> | null;
  /** The receiver's body, at most 64 KiB. Null or absent if no response arrived. */
  responseBody?: string | null;
  /** The receiver's headers. Null or absent if no response arrived. */
  responseHeaders?: Record<string, string> | null;
  /** What the event is about. Absent for `webhook.ping`. */
  subject?: DeliverySubject;
}

/**
 * What a delivery's event is about.
 *
 * {@includeCode ../../../client/test/documented/shapes.ts#delivery-detail}
 */
export interface DeliverySubject {
  /** Id of the resource. */
  id: string;
  /** Type of the resource, for example `workspace`. */
  type: string;
}

/** Query of the list. The service document does not show the names of the filters. This project defines them. */
export interface ListWebhookDeliveriesQuery {
  /** Only deliveries to this endpoint. */
  endpointId?: string | undefined;
  /** Only deliveries in this status. */
  status?: DeliveryStatus | undefined;
  /** Only deliveries of this event type. Exact match. */
  eventType?: Open<EventType> | undefined;
  /** Only deliveries queued at this time or later. ISO 8601 with `Z` or an offset. */
  createdFrom?: Timestamp | undefined;
  /** Only deliveries queued at this time or earlier. ISO 8601 with `Z` or an offset. */
  createdTo?: Timestamp | undefined;
}
