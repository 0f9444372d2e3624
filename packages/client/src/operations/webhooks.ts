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
}
