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
  /** Lists the endpoints; a single page. */
  list: ListOperation<WebhookEndpoint>;
  /** Retrieves an endpoint. */
  retrieve<const Given extends string>(id: IdParameter<'whe', Given>, options?: CallOptions): Call<WebhookEndpoint>;
  /** Creates an endpoint. Keep the secret: it is returned this once. */
  create(
    body: CreateWebhookEndpointBody,
    options?: CallOptions,
  ): Call<{ endpoint: WebhookEndpoint; secret: WebhookSecret }>;
  /** Updates an endpoint; a field left out stays as it is. `active: false` pauses it. */
  update<const Given extends string>(
    id: IdParameter<'whe', Given>,
    body: UpdateWebhookEndpointBody,
    options?: CallOptions,
  ): Call<WebhookEndpoint>;
  /** Deletes an endpoint for good and revokes its secrets; its past deliveries are kept. */
  delete<const Given extends string>(id: IdParameter<'whe', Given>, options?: CallOptions): Call<void>;
  /** Makes a new signing secret. The previous one goes on signing for 24 hours. */
  rotateSecret<const Given extends string>(id: IdParameter<'whe', Given>, options?: CallOptions): Call<WebhookSecret>;
  /** Enqueues a `webhook.ping` to an active endpoint. */
  sendTestEvent<const Given extends string>(
    id: IdParameter<'whe', Given>,
    options?: CallOptions,
  ): Call<{ deliveryId: WebhookDeliveryId }>;
  /** Lists the event catalog, which is the same for every workspace. `svc.webhooks.eventTypes` requests it by the service's other path. */
  eventTypes: ListOperation<EventTypeItem>;
}
