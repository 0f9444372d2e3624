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
  /** Lists the event catalog, as `endpoints.eventTypes` does, by the shorter path that the service also has. */
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
