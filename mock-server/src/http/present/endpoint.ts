import type { WebhookEndpoint, WebhookEndpointId, WebhookSecret, WebhookSecretId, WorkspaceId } from '@svc/contract';
import type { Instant } from '../../domain/instant.ts';
import type { RawSecret, StoredSecret } from '../../domain/webhook-secret.ts';
import type { EndpointTable } from '../../storage/schema/webhooks.ts';
import { toTimestamp } from './timestamp.ts';

export function presentEndpoint(row: EndpointTable): WebhookEndpoint {
  return {
    id: row.id as WebhookEndpointId,
    workspaceId: row.workspace_id as WorkspaceId,
    url: row.url,
    description: row.description,
    subscribedEvents: JSON.parse(row.subscribed_events) as string[],
    active: row.active === 1,
    apiVersion: row.api_version,
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

/** Presents an endpoint with its raw secret. No other function puts a raw secret into a response. */
export function presentSecret(raw: RawSecret, stored: StoredSecret, createdAt: Instant): WebhookSecret {
  return {
    id: stored.id as WebhookSecretId,
    secret: raw,
    secretPreview: stored.preview,
    createdAt: toTimestamp(createdAt),
  };
}
