import {
  type ApiKeyClient,
  createClient,
  type EmbeddedWorkspace,
  type ErrorCode,
  type Event,
  type EventSubject,
  isApiError,
  isId,
  type Open,
  type Organization,
  type Page,
  type UserClient,
  type WebhookEndpoint,
  type Workspace,
} from '../../src/index.ts';
import type { WireEvent, WireOrganization } from '../../src/testing.ts';
import type { Equal, Expect } from './assert.ts';

const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example' });
const user = createClient({ accessToken: () => 'svc_pat_1', baseUrl: 'https://a.example' });

// @ts-expect-error: one method for each list: webhooks.endpoints.eventTypes.
svc.webhooks.eventTypes;
// The kind of credential decides what a client has.
// @ts-expect-error: an API key is bound to one workspace.
svc.workspaces.list;
// @ts-expect-error: an API key has no organizations.
svc.organizations;
// @ts-expect-error: a user has events inside a workspace.
user.events;
// @ts-expect-error: one credential, not two.
createClient({ apiKey: 'svc_sk_1', accessToken: 'svc_pat_1', baseUrl: 'https://a.example' });
// Values from the environment may be undefined. At run time, that causes an error that names the option.
declare const variable: string | undefined;
const fromVariable = createClient({ apiKey: variable, baseUrl: variable });
const userFromVariable = createClient({ accessToken: variable, baseUrl: variable });
const fromEnvironment = createClient();
const partlyFromEnvironment = createClient({ timeoutMs: 5_000 });
export type Clients = [
  Expect<Equal<typeof fromVariable, ApiKeyClient>>,
  Expect<Equal<typeof userFromVariable, UserClient>>,
  Expect<Equal<typeof fromEnvironment, ApiKeyClient>>,
  Expect<Equal<typeof partlyFromEnvironment, ApiKeyClient>>,
];
user.workspace('wsp_1').events.list({ type: 'lifecycle.evaluated' });

// An id may be any string, unless it is known to be of another kind.
declare const stored: string;
declare const maybeStored: string | undefined;
declare const hit: { id: string };
declare const endpoint: WebhookEndpoint;
declare const eitherId: WebhookEndpoint['id'] | Workspace['id'];
svc.events.retrieve('evt_1');
svc.events.retrieve('1');
svc.workspaces.retrieve(stored);
svc.workspaces.retrieve(hit.id);
svc.workspaces.retrieve(`wsp_${stored}`);
svc.workspaces.retrieve(endpoint.workspaceId);
svc.workspaces.update(stored, { name: 'Acme' });
svc.webhooks.endpoints.delete(stored);
svc.webhooks.deliveries.replay(stored);
svc.webhooks.deliveries.list({ endpointId: stored, status: 'failed' });
svc.webhooks.deliveries.list({ endpointId: endpoint.id });
svc.webhooks.deliveries.list({ endpointId: undefined });
svc.webhooks.deliveries.list({ status: 'pending' });
// @ts-expect-error: no such status.
svc.webhooks.deliveries.list({ status: 'fialed' });
// @ts-expect-error: no such status.
svc.request('GET', '/v1/webhooks/deliveries', { query: { status: 'fialed' } });
export const openStatus = async () => (await svc.webhooks.deliveries.retrieve('whd_1')).status === 'paused';
svc.webhooks.deliveries.list({ limit: 3 });
user.workspace(stored);
// @ts-expect-error: another kind of id.
svc.events.retrieve('whe_1');
// @ts-expect-error: another kind of id.
svc.workspaces.retrieve(endpoint.id);
// @ts-expect-error: it may be another kind of id.
svc.workspaces.retrieve(eitherId);
// @ts-expect-error: another kind of id.
svc.workspaces.retrieve(`whe_${stored}`);
// @ts-expect-error: it may be undefined.
svc.workspaces.retrieve(maybeStored);
// @ts-expect-error: another kind of id.
svc.workspaces.update(endpoint.id, { name: 'Acme' });
// @ts-expect-error: another kind of id.
svc.webhooks.endpoints.rotateSecret(endpoint.workspaceId);
// @ts-expect-error: another kind of id.
svc.webhooks.deliveries.list({ endpointId: endpoint.workspaceId });
// @ts-expect-error: no such parameter.
svc.webhooks.deliveries.list({ endpoint: stored });
// @ts-expect-error: another kind of id.
user.workspace(endpoint.id);
// @ts-expect-error: no such kind of id.
isId('workspace', stored);
export const guarded: `wsp_${string}` | null = isId('wsp', stored) ? stored : null;

// `subscribedEvents` may be a readonly list.
declare const subscribedEvents: readonly string[];
svc.webhooks.endpoints.create({ url: 'https://b.example', subscribedEvents });
svc.webhooks.endpoints.update('whe_1', { subscribedEvents });
// @ts-expect-error: a list of something else.
svc.webhooks.endpoints.update('whe_1', { subscribedEvents: [7] });

// The type has exactly the expanded fields.
type ItemOf<T> = Awaited<T> extends Page<infer Item> ? Item : never;
type Expandable = { workspaces: EmbeddedWorkspace[] };
declare const flag: boolean;
declare const dynamic: 'workspaces'[];

const none = user.organizations.list();
const limited = user.organizations.list({ limit: 3 });
const empty = user.organizations.list({ expand: [] });
const named = user.organizations.list({ expand: ['workspaces'], limit: 3 });
const some = user.organizations.list({ expand: dynamic });
const either = user.organizations.list({ expand: flag ? ['workspaces'] : [] });
const maybe = user.organizations.list({ expand: flag ? ['workspaces'] : undefined });
const dynamicOrNot = user.organizations.list({ expand: flag ? dynamic : undefined });
const resumed = user.organizations.list.resume('https://a.example/v1/organizations', { expand: ['workspaces'] });
// @ts-expect-error: no such name.
user.organizations.list({ expand: ['members'] });
// @ts-expect-error: an unknown name beside a known one.
user.organizations.list({ expand: ['workspaces', 'members'] });
// @ts-expect-error: one level only.
user.organizations.list({ expand: ['workspaces.members'] });
// @ts-expect-error: no such parameter.
user.organizations.list({ expandd: ['workspaces'] });
// @ts-expect-error: an unknown parameter beside a known one.
user.organizations.list({ limit: 1, expandd: ['workspaces'] });

export type ExpandCases = [
  Expect<Equal<ItemOf<typeof none>, Organization>>,
  Expect<Equal<ItemOf<typeof limited>, Organization>>,
  Expect<Equal<ItemOf<typeof empty>, Organization>>,
  Expect<Equal<ItemOf<typeof named>, Organization & Expandable>>,
  Expect<Equal<ItemOf<typeof some>, Organization & Partial<Expandable>>>,
  Expect<Equal<ItemOf<typeof either>, Organization | (Organization & Expandable)>>,
  Expect<Equal<ItemOf<typeof maybe>, Organization | (Organization & Expandable)>>,
  Expect<Equal<ItemOf<typeof dynamicOrNot>, Organization & Partial<Expandable>>>,
  Expect<Equal<ItemOf<typeof resumed>, Organization & Expandable>>,
  Expect<Equal<'workspaces' extends keyof Organization ? true : false, false>>,
];

// The client's types of resources are compatible with the wire types.
export type Views = [
  Expect<Equal<Organization, Omit<WireOrganization, 'workspaces'>>>,
  Expect<Event extends WireEvent ? true : false>,
];

// An API key has a workspace but no user. A token has a user but no workspace. Inside a workspace, a user has both.
export async function callers() {
  const key = await svc.me.retrieve();
  const token = await user.me.retrieve();
  const member = await user.workspace('wsp_1').me.retrieve();
  // @ts-expect-error: an API key has no user.
  key.user;
  // @ts-expect-error: a user client has no workspace.
  token.workspace;
  return [key.workspace.name, token.user.email, member.user.name, member.workspace.role.length];
}

// A user's client of one workspace is bound to that workspace.
export async function inside() {
  const workspace = user.workspace('wsp_1');
  await workspace.update({ name: 'Acme' });
  // @ts-expect-error: the workspace is known already.
  await workspace.update('wsp_1', { name: 'Acme' });
  const timezone: string | null = (await workspace.retrieve()).timezone;
  return timezone;
}

// The type of an event determines its subject.
export async function narrowedByType(event: Event) {
  if (event.type === 'lifecycle.evaluated') {
    const id: `wsp_${string}` = event.subject.id;
    const workspace: Workspace = await svc.follow(event.subject);
    return [id, workspace.timezone];
  }
  if (event.type === 'webhook.endpoint.auto_disabled') {
    // @ts-expect-error: the document does not show this subject, so it may be absent.
    event.subject.id;
    const subject: EventSubject | undefined = event.subject;
    if (subject?.type === 'webhook_endpoint') return (await svc.follow(subject)).url;
    return subject && (await svc.follow(subject));
  }
  if (event.type === 'webhook.ping') {
    const subject: undefined = event.subject;
    return subject;
  }
  // Types that this version does not know, even if they start like a known one.
  if (event.type === 'profile.created') return [event.type satisfies 'profile.created', event.subject?.id];
  if (event.type === 'lifecycle.evaluation_failed' || event.type === 'webhook.endpoint.created')
    return event.subject?.url;
  // @ts-expect-error: that type was handled above.
  if (event.type === 'webhook.ping') return null;
  // @ts-expect-error: an unknown type may have no subject.
  event.subject.id;
  const type: string = event.type;
  return [type, event.subject?.id];
}

// The type of a subject is open.
export async function openSubject(event: Event) {
  if (event.subject?.type === 'invoice') return (await svc.follow(event.subject))['total'];
  if (event.subject?.type === 'webhook_secret') return event.subject.url;
  const type: string | undefined = event.subject?.type;
  return type === 'anything';
}

// The type of a subject determines what following it returns.
export async function followed() {
  const event = await svc.events.retrieve('evt_1');
  if (event.subject?.type === 'workspace') {
    const workspace: Workspace = await svc.follow(event.subject);
    return workspace.timezone;
  }
  if (event.subject?.type === 'webhook_endpoint') {
    const endpoint: WebhookEndpoint = await svc.follow(event.subject);
    return endpoint.url;
  }
  return null;
}

// A request is typed if this version knows its route.
declare const someId: string;
export async function requested() {
  const renamed = await svc.request('PATCH', `/v1/workspaces/${someId}`, { body: { name: 'Acme' } });
  const name: string = renamed.workspace.name;
  const events = await user.workspace('wsp_1').request('GET', '/v1/events', { query: { type: 'webhook.ping' } });
  const type: string | undefined = events.data[0]?.type;
  const catalog = await svc.request('GET', '/v1/webhooks/endpoints/event-types');
  const category: string | undefined = catalog.data[0]?.category;
  // @ts-expect-error: a workspace has no such field.
  svc.request('PATCH', '/v1/workspaces/wsp_1', { body: { nmae: 'Acme' } });
  // @ts-expect-error: this operation takes no body.
  svc.request('GET', '/v1/me', { body: {} });
  // @ts-expect-error: this operation has no such query parameter.
  svc.request('GET', '/v1/events', { query: { status: 'failed' } });
  const unknownRoute = await svc.request('PUT', '/v1/exports/exp_1', { body: 7, query: { anything: true } });
  // @ts-expect-error: nothing is known about the response.
  unknownRoute.run;
  // @ts-expect-error: one segment more than the known route.
  (await svc.request('GET', '/v1/workspaces/wsp_1/members')).workspace;
  // @ts-expect-error: no such method.
  svc.request('FETCH', '/v1/me');
  return [name, type, category];
}

// Errors narrow by their code.
export function narrowed(error: unknown) {
  if (isApiError(error, 'NOT_FOUND')) {
    const code: 'NOT_FOUND' = error.code;
    return code;
  }
  // A gateway's page has a code of its status.
  if (isApiError(error, 'HTTP_502')) return error.code;
  // @ts-expect-error: no such code.
  if (isApiError(error, 'NOT_FOUNT')) return null;
  if (isApiError(error)) {
    // The service may have codes that this version does not know.
    if (error.code === 'BRAND_NEW') return error.code;
    const code: Open<ErrorCode> = error.code;
    return code;
  }
  return null;
}
