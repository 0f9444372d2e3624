import {
  type ApiKeyClient,
  type EventId,
  type IdParameter,
  type IdPrefix,
  isId,
  type OrganizationId,
  type WebhookDeliveryId,
  type WebhookEndpointId,
  type WebhookSecretId,
  type Workspace,
  type WorkspaceId,
} from '@svc/client';

// #region kept
/** What an installation stores. An id of another kind in one of these fields does not compile. */
export interface Installation {
  organizationId: OrganizationId;
  workspaceId: WorkspaceId;
  endpointId: WebhookEndpointId;
  secretId: WebhookSecretId;
}

export async function install(svc: ApiKeyClient, url: string): Promise<Installation> {
  const { workspace } = await svc.me.retrieve();
  const { endpoint, secret } = await svc.webhooks.endpoints.create({ url, subscribedEvents: ['*'] });
  const { id: workspaceId, organizationId } = workspace;
  return { organizationId, workspaceId, endpointId: endpoint.id, secretId: secret.id };
}
// #endregion kept

// #region prefix
/** Text from a log or a form: the prefix tells what it is an id of. */
export async function eventOf(svc: ApiKeyClient, text: string): Promise<EventId | undefined> {
  if (isId('evt', text)) return text;
  return isId('whd', text) ? (await svc.webhooks.deliveries.retrieve(text)).eventId : undefined;
}

const names: Partial<Record<IdPrefix, string>> = { wsp: 'workspace', whe: 'endpoint', whd: 'delivery' };
export const nameOf = (prefix: IdPrefix): string => names[prefix] ?? 'resource';
// #endregion prefix

// #region stored
/** An id from a database or a route is a plain string, which every parameter accepts. */
export async function load(svc: ApiKeyClient, row: { workspace_id: string }): Promise<Workspace> {
  return svc.workspaces.retrieve(row.workspace_id);
}

/** The same for a function of your own: an id that is known to be of another kind does not compile. */
export async function pause<const Given extends string>(
  svc: ApiKeyClient,
  endpointId: IdParameter<'whe', Given>,
): Promise<void> {
  const id: string = endpointId;
  await svc.webhooks.endpoints.update(id, { active: false });
}

/** The id of a delivery that one of your own tables refers to. */
export const isStored = (stored: ReadonlySet<string>, id: WebhookDeliveryId): boolean => stored.has(id);
// #endregion stored
