import type {
  CreateWebhookEndpointBody,
  EventTypeItem,
  UpdateWebhookEndpointBody,
  WebhookDeliveryId,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookSecret,
} from '@svc/contract';
import type { Call } from '../call.ts';
import type { ListOperation } from '../list.ts';
import type { CallOptions } from '../options.ts';
import type { Sender } from '../sender.ts';

const PATH = '/v1/webhooks/endpoints';

/** Operations on the webhook endpoints of the workspace. */
export interface WebhookEndpointOperations {
  /** Lists the endpoints; a single page. */
  list: ListOperation<WebhookEndpoint>;
  /** Retrieves an endpoint. */
  retrieve(id: WebhookEndpointId, options?: CallOptions): Call<WebhookEndpoint>;
  /** Creates an endpoint. Keep the secret: it is returned this once. */
  create(
    body: CreateWebhookEndpointBody,
    options?: CallOptions,
  ): Call<{ endpoint: WebhookEndpoint; secret: WebhookSecret }>;
  /** Updates an endpoint; a field left out stays as it is. `active: false` pauses it. */
  update(id: WebhookEndpointId, body: UpdateWebhookEndpointBody, options?: CallOptions): Call<WebhookEndpoint>;
  /** Deletes an endpoint for good and revokes its secrets; its past deliveries are kept. */
  delete(id: WebhookEndpointId, options?: CallOptions): Call<void>;
  /** Makes a new signing secret. The previous one goes on signing for 24 hours. */
  rotateSecret(id: WebhookEndpointId, options?: CallOptions): Call<WebhookSecret>;
  /** Enqueues a `webhook.ping` to an active endpoint. */
  sendTestEvent(id: WebhookEndpointId, options?: CallOptions): Call<{ deliveryId: WebhookDeliveryId }>;
  /** Lists the event catalog, which is the same for every workspace. */
  eventTypes: ListOperation<EventTypeItem>;
}

/** The operations on webhook endpoints. */
export function webhookEndpointOperations({ call, list }: Sender): WebhookEndpointOperations {
  const path = `${PATH}/{}`;
  const pick = 'endpoint';
  return {
    list: list('listWebhookEndpoints', PATH),
    eventTypes: list('listEventTypes', `${PATH}/event-types`),
    retrieve: (id, options) => call({ operation: 'retrieveWebhookEndpoint', method: 'GET', path, id, pick }, options),
    create: (body, options) => call({ operation: 'createWebhookEndpoint', method: 'POST', path: PATH, body }, options),
    update: (id, body, options) =>
      call({ operation: 'updateWebhookEndpoint', method: 'PATCH', path, id, body, pick }, options),
    delete: (id, options) =>
      call({ operation: 'deleteWebhookEndpoint', method: 'DELETE', path, id, pick: null }, options),
    rotateSecret: (id, options) =>
      call(
        { operation: 'rotateWebhookSecret', method: 'POST', path: `${path}/rotate-secret`, id, pick: 'secret' },
        options,
      ),
    sendTestEvent: (id, options) =>
      call({ operation: 'sendTestEvent', method: 'POST', path: `${path}/send-test-event`, id, pick: 'ping' }, options),
  };
}
