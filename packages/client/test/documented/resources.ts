import type {
  ApiKeyClient,
  ApiKeyIdentity,
  EventId,
  IdentityWorkspace,
  MemberIdentity,
  UserClient,
  UserIdentity,
  WebhookDeliveryId,
  WebhookEndpointId,
} from '@svc/client';

// #region me
/** An API key belongs to a workspace, not to a user. */
export async function canManageWebhooks(svc: ApiKeyClient): Promise<boolean> {
  const { workspace }: ApiKeyIdentity = await svc.me.retrieve();
  return mayWrite(workspace);
}

/** A token belongs to a user. Only a workspace client also gets a workspace. */
export async function greeting(user: UserClient, workspaceId: string): Promise<string> {
  const { user: caller }: UserIdentity = await user.me.retrieve();
  const { workspace }: MemberIdentity = await user.workspace(workspaceId).me.retrieve();
  return `${caller.name}, ${workspace.role} of ${workspace.name}${mayWrite(workspace) ? '' : ', read only'}`;
}

const mayWrite = ({ permissions }: IdentityWorkspace): boolean => permissions.includes('workspace:developer:write');
// #endregion me

// #region search
export async function titles(svc: ApiKeyClient, q: string): Promise<string[]> {
  const hits = await svc.search({ q, type: 'profile' }).collect({ limit: 10 });
  return hits.map(({ title }) => title);
}
// #endregion search

// #region workspaces
export async function useBerlinTime(svc: ApiKeyClient): Promise<void> {
  const { workspace } = await svc.me.retrieve();
  await svc.workspaces.update(workspace.id, { timezone: 'Europe/Berlin', weekStartsOn: null });
}
// #endregion workspaces

// #region endpoints
export async function register(svc: ApiKeyClient, keep: (secret: string) => Promise<void>): Promise<WebhookEndpointId> {
  const { endpoint, secret } = await svc.webhooks.endpoints.create({
    url: 'https://example.com/webhooks',
    subscribedEvents: ['lifecycle.*'],
  });
  await keep(secret.secret);
  await svc.webhooks.endpoints.sendTestEvent(endpoint.id);
  return endpoint.id;
}
// #endregion endpoints

// #region deliveries
export async function replayFailures(
  svc: ApiKeyClient,
  endpointId: WebhookEndpointId,
  since: Date,
): Promise<WebhookDeliveryId[]> {
  const replayed: WebhookDeliveryId[] = [];
  for await (const { id } of svc.webhooks.deliveries.list({ endpointId, status: 'failed', createdFrom: since })) {
    replayed.push((await svc.webhooks.deliveries.replay(id)).id);
  }
  return replayed;
}
// #endregion deliveries

// #region event-types
export async function eventTypes(svc: ApiKeyClient): Promise<string[]> {
  const catalog = await svc.webhooks.endpoints.eventTypes().collect({ limit: 1000 });
  return catalog.map(({ type }) => type);
}
// #endregion event-types

// #region events
export async function lastEvaluation(svc: ApiKeyClient): Promise<string | undefined> {
  return (await svc.events.list({ type: 'lifecycle.evaluated' }).first())?.created;
}
// #endregion events

// #region follow
export async function timezoneAfter(svc: ApiKeyClient, id: EventId): Promise<string | null> {
  const event = await svc.events.retrieve(id);
  if (event.type !== 'lifecycle.evaluated') return null;
  const workspace = await svc.follow(event.subject);
  return workspace.timezone;
}
// #endregion follow
