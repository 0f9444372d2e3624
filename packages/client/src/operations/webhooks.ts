import type { EventTypeItem } from '@svc/contract';
import type { ListOperation } from '../list.ts';
import type { Sender } from '../sender.ts';
import { type WebhookDeliveryOperations, webhookDeliveryOperations } from './webhook-deliveries.ts';
import { type WebhookEndpointOperations, webhookEndpointOperations } from './webhook-endpoints.ts';

/**
 * Operations on the webhooks of the workspace.
 *
 * {@includeCode ../../test/documented/resources.ts#event-types}
 */
export interface WebhookOperations {
  endpoints: WebhookEndpointOperations;
  deliveries: WebhookDeliveryOperations;
  /**
   * Lists the event catalog. `endpoints.eventTypes` lists the same one: the service has it under two paths,
   * `/v1/webhooks/event-types` and `/v1/webhooks/endpoints/event-types`, and each method requests one of them.
   */
  eventTypes: ListOperation<EventTypeItem>;
}

/** The operations on webhooks. */
export function webhookOperations(sender: Sender): WebhookOperations {
  return {
    endpoints: webhookEndpointOperations(sender),
    deliveries: webhookDeliveryOperations(sender),
    eventTypes: sender.bindList('/v1/webhooks/event-types'),
  };
}
