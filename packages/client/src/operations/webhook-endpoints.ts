import type {
  CreateWebhookEndpointBody,
  EventTypeItem,
  UpdateWebhookEndpointBody,
  WebhookDeliveryId,
  WebhookEndpoint,
  WebhookSecret,
} from '@svc/contract';
import type { Call } from '../call.ts';
import type { IdParameter } from '../ids.ts';
import type { ListOperation } from '../list.ts';
import type { CallOptions } from '../options.ts';

/**
 * Operations on the webhook endpoints of the workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#endpoints}
 */
export interface WebhookEndpointOperations {
  /** Lists the endpoints, as a single page. */
  list: ListOperation<WebhookEndpoint>;
  /** Retrieves an endpoint. */
  retrieve<const Given extends string>(id: IdParameter<'whe', Given>, options?: CallOptions): Call<WebhookEndpoint>;
  /** Creates an endpoint. Keep the secret: it is returned only once. */
  create(
    body: CreateWebhookEndpointBody,
    options?: CallOptions,
  ): Call<{ endpoint: WebhookEndpoint; secret: WebhookSecret }>;
  /** Updates an endpoint. Omitted fields do not change. `active: false` pauses the endpoint. */
  update<const Given extends string>(
    id: IdParameter<'whe', Given>,
    body: UpdateWebhookEndpointBody,
    options?: CallOptions,
  ): Call<WebhookEndpoint>;
  /** Permanently deletes an endpoint and revokes its secrets. The endpoint's past deliveries are kept. */
  delete<const Given extends string>(id: IdParameter<'whe', Given>, options?: CallOptions): Call<void>;
  /** Creates a new signing secret. For 24 hours, deliveries are also signed with the previous secret. */
  rotateSecret<const Given extends string>(id: IdParameter<'whe', Given>, options?: CallOptions): Call<WebhookSecret>;
  /** Enqueues a `webhook.ping` event for the endpoint, which must be active. */
  sendTestEvent<const Given extends string>(
    id: IdParameter<'whe', Given>,
    options?: CallOptions,
  ): Call<{ deliveryId: WebhookDeliveryId }>;
  /** Lists the event catalog. The catalog is the same for every workspace. */
  eventTypes: ListOperation<EventTypeItem>;
}
