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
/** The ids that an installation stores. A field does not accept an id of another kind. */
export interface Installation {
  organizationId: OrganizationId;
  workspaceId: WorkspaceId;
  endpointId: WebhookEndpointId;
  secretId: WebhookSecretId;
}

export async function install(svc: ApiKeyClient, url: string): Promise<Installation> {
  const { workspace } = await svc.me.retrieve();
  const { endpoint, secret } = await svc.webhooks.endpoints.create({ url, subscribedEvents: ['lifecycle.*'] });
  const { id: workspaceId, organizationId } = workspace;
  return { organizationId, workspaceId, endpointId: endpoint.id, secretId: secret.id };
}
// #endregion kept

// #region prefix
/** Finds the event for an id that someone pasted. The prefix shows which kind of id it is. */
export async function eventOf(svc: ApiKeyClient, text: string): Promise<EventId | undefined> {
  if (isId('evt', text)) return text;
  if (!isId('whd', text)) return undefined;
  const { eventId } = await svc.webhooks.deliveries.retrieve(text);
  // The event id of a replay may have another form.
  return isId('evt', eventId) ? eventId : undefined;
}

const names: Partial<Record<IdPrefix, string>> = { wsp: 'workspace', whe: 'endpoint', whd: 'delivery' };
export const nameOf = (prefix: IdPrefix): string => names[prefix] ?? 'resource';
// #endregion prefix

// #region stored
/** Ids from a database or a URL are plain strings. Every id parameter accepts them. */
export async function load(svc: ApiKeyClient, row: { workspace_id: string }): Promise<Workspace> {
  return svc.workspaces.retrieve(row.workspace_id);
}

/** Your functions can accept plain strings, too. An id of another kind does not compile. */
export async function pause<const Given extends string>(
  svc: ApiKeyClient,
  endpointId: IdParameter<'whe', Given>,
): Promise<void> {
  const id: string = endpointId;
  await svc.webhooks.endpoints.update(id, { active: false });
}

/** Checks whether a delivery is in a set of stored ids. */
export const isStored = (stored: ReadonlySet<string>, id: WebhookDeliveryId): boolean => stored.has(id);
// #endregion stored
