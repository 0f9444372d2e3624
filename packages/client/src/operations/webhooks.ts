import type { EventTypeItem } from '@svc/contract';
import type { ListOperation } from '../list.ts';
import type { WebhookDeliveryOperations } from './webhook-deliveries.ts';
import type { WebhookEndpointOperations } from './webhook-endpoints.ts';

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
