import type { WebhookEndpoint } from '@svc/client';
import type { Output } from '../../output/output.ts';
import { styleStatus } from '../../output/style.ts';
import { formatInstant } from '../../output/times.ts';

export const activityOf = ({ active }: WebhookEndpoint) => (active ? 'active' : 'inactive');

/** An endpoint as text for people, with its secret if the secret is new. */
export function showEndpoint(output: Output, endpoint: WebhookEndpoint, nowMs: number, secret?: string): string[] {
  return output.fields([
    ['ID', endpoint.id],
    ['URL', endpoint.url],
    ['Status', styleStatus(output.style, activityOf(endpoint))],
    ['Events', endpoint.subscribedEvents.join(', ')],
    ['Description', endpoint.description ?? ''],
    ['Created', formatInstant(endpoint.createdAt, nowMs)],
    ['Updated', formatInstant(endpoint.updatedAt, nowMs)],
    ['Secret', secret === undefined ? '' : `${secret}  (shown only once)`],
  ]);
}
