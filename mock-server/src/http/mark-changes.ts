import type { AnswerOf, OperationName } from '@svc/contract';
import type { Changed } from '../runtime/changes.ts';

/** What each writing operation changes, from its path parameters and its answer. */
const CHANGES: { [Name in OperationName]?: (params: Record<string, string>, answer: AnswerOf<Name>) => Changed } = {
  updateWorkspace: () => ({ tenants: true }),
  createWebhookEndpoint: (_params, { endpoint }) => ({ endpoints: [endpoint.id] }),
  updateWebhookEndpoint: (_params, { endpoint }) => ({ endpoints: [endpoint.id] }),
  deleteWebhookEndpoint: ({ endpointId = '' }) => ({ endpoints: [endpointId] }),
  rotateWebhookSecret: ({ endpointId = '' }) => ({ endpoints: [endpointId] }),
  sendTestEvent: (_params, { ping }) => ({ events: 1, deliveries: [ping.deliveryId] }),
  replayWebhookDelivery: (_params, { delivery }) => ({ deliveries: [delivery.id] }),
};

/** What a call of an operation changed, or `undefined` if it only read. */
export function changesOf<Name extends OperationName>(
  name: Name,
  params: Record<string, string>,
  answer: AnswerOf<Name>,
): Changed | undefined {
  return CHANGES[name]?.(params, answer);
}
