import type {
  DeliveryStatus,
  EventType,
  Open,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryId,
  WebhookEndpointId,
} from '@svc/contract';
import type { Call } from '../call.ts';
import type { IdParameter } from '../ids.ts';
import type { List } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { ListParams } from '../params.ts';

/**
 * Which deliveries to list. The service document does not show the names of these filters, so this project defines the
 * names.
 *
 * {@includeCode ../../test/documented/resources.ts#deliveries}
 */
export interface ListDeliveriesParams<EndpointId extends string = string> extends ListParams {
  /** Lists only deliveries to this endpoint. */
  endpointId?: IdParameter<'whe', EndpointId> | undefined;
  /** Lists only deliveries with this status. */
  status?: DeliveryStatus | undefined;
  /** Lists only deliveries of exactly this event type. */
  eventType?: Open<EventType> | undefined;
  /** Lists only deliveries enqueued at this time or later. A string must be ISO 8601, with `Z` or an offset. */
  createdFrom?: string | Date | undefined;
  /** Lists only deliveries enqueued at this time or earlier. A string must be ISO 8601, with `Z` or an offset. */
  createdTo?: string | Date | undefined;
}

/**
 * Lists deliveries, newest first.
 *
 * {@includeCode ../../test/documented/resources.ts#deliveries}
 */
export interface ListDeliveries {
  /** Lists deliveries, newest first. */
  <const EndpointId extends string>(
    params?: ListDeliveriesParams<EndpointId>,
    options?: CallOptions,
  ): List<WebhookDelivery>;
  /**
   * Continues from a stored page URL. If the URL belongs to another list or another origin, using the returned list
   * throws a {@link UsageError}.
   */
  resume(url: string, options?: CallOptions): List<WebhookDelivery>;
}

/**
 * Operations on the deliveries of the workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#deliveries}
 */
export interface WebhookDeliveryOperations {
  /** Lists deliveries, newest first. */
  list: ListDeliveries;
  /** Retrieves a delivery with the request and the response of its most recent attempt. */
  retrieve<const Given extends string>(
    id: IdParameter<'whd', Given>,
    options?: CallOptions,
  ): Call<WebhookDeliveryDetail>;
  /**
   * Sends the payload of a delivery again, as a new delivery. Returns the ids of the new delivery and of its endpoint.
   */
  replay<const Given extends string>(
    id: IdParameter<'whd', Given>,
    options?: CallOptions,
  ): Call<{ id: WebhookDeliveryId; endpointId: WebhookEndpointId }>;
}
