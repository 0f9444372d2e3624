import type {
  ApiKeyClient,
  EventId,
  OrganizationId,
  WebhookDeliveryId,
  WebhookEndpointId,
  WebhookSecretId,
  WorkspaceId,
} from '@svc/client';

// #region kept
/** What an installation keeps. An id of another kind in its place does not compile. */
export interface Installation {
  organizationId: OrganizationId;
  workspaceId: WorkspaceId;
  endpointId: WebhookEndpointId;
  secretId: WebhookSecretId;
}

export async function install(svc: ApiKeyClient, url: string): Promise<Installation | undefined> {
  const { workspace } = await svc.me.retrieve();
  if (!workspace) return undefined;
  const { endpoint, secret } = await svc.webhooks.endpoints.create({ url, subscribedEvents: ['*'] });
  const { id: workspaceId, organizationId } = workspace;
  return { organizationId, workspaceId, endpointId: endpoint.id, secretId: secret.id };
}
// #endregion kept

// #region prefix
/** An id that comes from a log or a form is a string; its prefix tells what it is of. */
const isDeliveryId = (text: string): text is WebhookDeliveryId => text.startsWith('whd_');

export async function eventBehind(svc: ApiKeyClient, id: string): Promise<EventId | undefined> {
  return isDeliveryId(id) ? (await svc.webhooks.deliveries.retrieve(id)).eventId : undefined;
}
// #endregion prefix
