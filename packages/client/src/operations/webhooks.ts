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
   * Lists the event catalog. `endpoints.eventTypes` returns the same list. The service has two paths for it, and each method
   * uses one: `/v1/webhooks/event-types` here, `/v1/webhooks/endpoints/event-types` there.
   */
  eventTypes: ListOperation<EventTypeItem>;
}
