import type {
  ApiKeyClient,
  CreateWebhookEndpointBody,
  DeliverySubject,
  EmbeddedWorkspace,
  EventTypeItem,
  Identity,
  SearchResult,
  SearchType,
  UpdatedWorkspace,
  UpdateWebhookEndpointBody,
  UpdateWorkspaceBody,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointSubject,
  WebhookSecret,
  Workspace,
  WorkspaceId,
  WorkspaceSubject,
} from '@svc/client';

// #region identity
export const callerName = ({ credential, user, workspace }: Identity): string =>
  user?.name ?? `${credential.kind} of ${workspace?.name}`;
// #endregion identity

// #region workspace
/** Returns the current date in the workspace's time zone, such as `2026-03-01`. */
export const dayIn = ({ timezone }: Workspace, at: Date): string =>
  at.toLocaleDateString('sv-SE', { timeZone: timezone ?? 'UTC' });
// #endregion workspace

// #region update
/** `null` resets a field to its default. Fields that you leave out do not change. */
const defaults: UpdateWorkspaceBody = { timezone: null, weekStartsOn: null };

export async function resetCalendar(svc: ApiKeyClient, id: WorkspaceId): Promise<UpdatedWorkspace> {
  return svc.workspaces.update(id, defaults);
}
// #endregion update

// #region embedded
/** Returns the workspaces that override the caller's role in the organization. */
export const overridden = (workspaces: EmbeddedWorkspace[]): EmbeddedWorkspace[] =>
  workspaces.filter(({ implicit }) => !implicit);
// #endregion embedded

// #region search
export async function bestHit(svc: ApiKeyClient, q: string, type: SearchType): Promise<SearchResult | undefined> {
  return svc.search({ q, type }).first();
}
// #endregion search

// #region endpoint
const wanted: CreateWebhookEndpointBody = {
  url: 'https://example.com/webhooks',
  subscribedEvents: ['lifecycle.*', 'webhook.endpoint.auto_disabled'],
  description: 'Score board',
};
const paused: UpdateWebhookEndpointBody = { active: false };

/** Registers an endpoint and pauses it until the receiver is ready. */
export async function prepare(svc: ApiKeyClient): Promise<WebhookEndpoint> {
  const { endpoint } = await svc.webhooks.endpoints.create(wanted);
  return svc.webhooks.endpoints.update(endpoint.id, paused);
}
// #endregion endpoint

// #region secret
/** The service returns the full secret only once, so store it. Display only the preview. */
export async function renew(
  svc: ApiKeyClient,
  id: WebhookEndpointId,
  store: (secret: WebhookSecret['secret']) => Promise<void>,
): Promise<string> {
  const renewed: WebhookSecret = await svc.webhooks.endpoints.rotateSecret(id);
  await store(renewed.secret);
  return renewed.secretPreview;
}
// #endregion secret

// #region delivery
export const wasSlow = ({ responseTimeMs }: WebhookDelivery): boolean => (responseTimeMs ?? 0) > 5_000;
// #endregion delivery

// #region delivery-detail
const about = (subject: DeliverySubject | undefined) => (subject ? `${subject.type} ${subject.id}` : 'nothing');

export const explainDelivery = ({ error, nextAttemptAt, subject }: WebhookDeliveryDetail): string =>
  `about ${about(subject)}: ${error ?? 'no error'}, next attempt: ${nextAttemptAt ?? 'none'}`;
// #endregion delivery-detail

// #region subjects
/** Checking `subject.type` narrows the type of `subject.id`. */
export const pageOf = (subject: WorkspaceSubject | WebhookEndpointSubject): string =>
  subject.type === 'workspace' ? `/workspaces/${subject.id}` : `/webhooks/${subject.id}`;
// #endregion subjects

// #region event-type
export const byCategory = (catalog: EventTypeItem[]): Partial<Record<string, EventTypeItem[]>> =>
  Object.groupBy(catalog, ({ category }) => category);
// #endregion event-type
