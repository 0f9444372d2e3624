import type { Bind, CloserTypes } from '../../src/bind.ts';
import type { BindList } from '../../src/bind-list.ts';
import type {
  ApiKeyIdentity,
  Call,
  Event,
  EventOperations,
  ListDeliveriesParams,
  ListEventsParams,
  ListOrganizationsParams,
  MemberIdentity,
  MeOperations,
  OrganizationOperations,
  RouteQueries,
  SearchOperation,
  SearchParams,
  UserIdentity,
  WebhookDeliveryOperations,
  WebhookEndpointOperations,
  Workspace,
  WorkspaceOperations,
} from '../../src/index.ts';
import type { Equal, Expect } from './assert.ts';

declare const bind: Bind;
declare const bindList: BindList;
declare const deliveryFilters: Record<'endpointId' | 'status' | 'eventType' | 'createdFrom' | 'createdTo', 1>;

// A list names each of its parameters, and no other.
bindList('GET /v1/events', { type: 1, subjectType: 1, subjectId: 1 });
// @ts-expect-error: one is missing.
bindList('GET /v1/events', { type: 1, subjectType: 1 });
// @ts-expect-error: one is unknown.
bindList('GET /v1/search', { q: 1, type: 1, page: 1 });
// @ts-expect-error: they are missing.
bindList('GET /v1/events');

// Operations are bound to the route, the field and the body of the contract's table.
export const endpoints: Pick<
  WebhookEndpointOperations,
  'list' | 'eventTypes' | 'retrieve' | 'create' | 'update' | 'delete' | 'rotateSecret'
> = {
  list: bindList('GET /v1/webhooks/endpoints'),
  eventTypes: bindList('GET /v1/webhooks/endpoints/event-types'),
  retrieve: bind('GET /v1/webhooks/endpoints/{endpointId}', 'endpoint'),
  create: bind('POST /v1/webhooks/endpoints', 'all', true),
  update: bind('PATCH /v1/webhooks/endpoints/{endpointId}', 'endpoint', true),
  delete: bind('DELETE /v1/webhooks/endpoints/{endpointId}', 'nothing'),
  rotateSecret: bind('POST /v1/webhooks/endpoints/{endpointId}/rotate-secret', 'secret'),
};

// The types of these depend on the credential, and on `expand`.
export const organizations: OrganizationOperations = { list: bindList('GET /v1/organizations', { expand: 1 }) };
export const me: MeOperations<ApiKeyIdentity> & MeOperations<UserIdentity> & MeOperations<MemberIdentity> = {
  retrieve: bind('GET /v1/me', 'all'),
};

// The path.
// @ts-expect-error: no such path.
bind('GET /v1/webhook/endpoints/{endpointId}', 'endpoint');
// @ts-expect-error: no such method on this path.
bind('PUT /v1/workspaces/{workspaceId}', 'workspace', true);
// @ts-expect-error: a list.
bind('GET /v1/events', 'data');
// @ts-expect-error: not a list.
bindList('GET /v1/events/{eventId}');
// @ts-expect-error: it takes an id.
export const withoutId: MeOperations['retrieve'] = bind('GET /v1/events/{eventId}', 'all');

// The field.
// @ts-expect-error: the response has no such field.
bind('GET /v1/webhooks/endpoints/{endpointId}', 'workspace');
// @ts-expect-error: the response says something.
bind('GET /v1/webhooks/endpoints/{endpointId}', 'nothing');
// @ts-expect-error: the workspace is inside the response.
export const wrapped: WorkspaceOperations['retrieve'] = bind('GET /v1/workspaces/{workspaceId}', 'all');

// The body.
// @ts-expect-error: it has a body.
bind('PATCH /v1/workspaces/{workspaceId}', 'workspace');
// @ts-expect-error: it has no body.
bind('POST /v1/webhooks/deliveries/{deliveryId}/replay', 'delivery', true);
// @ts-expect-error: it has no body.
bind('GET /v1/me', 'all', true);

// The response.
// @ts-expect-error: a delivery is not an endpoint.
export const other: WebhookEndpointOperations['retrieve'] = bind(
  'GET /v1/webhooks/deliveries/{deliveryId}',
  'delivery',
);
// @ts-expect-error: a replay is not a whole delivery.
export const part: WebhookDeliveryOperations['retrieve'] = bind(
  'POST /v1/webhooks/deliveries/{deliveryId}/replay',
  'delivery',
);
// @ts-expect-error: a list of deliveries.
export const deliveries: EventOperations['list'] = bindList('GET /v1/webhooks/deliveries', deliveryFilters);
// @ts-expect-error: a list of organizations.
export const notEvents: EventOperations['list'] = bindList('GET /v1/organizations', { expand: 1 });
// @ts-expect-error: a list of workspaces.
export const notOrganizations: OrganizationOperations['list'] = bindList('GET /v1/workspaces');
// @ts-expect-error: the caller is not a workspace.
export const notWorkspace: () => Call<Workspace> = bind('GET /v1/me', 'all');
// @ts-expect-error: a caller's workspace is not a whole one.
export const notWhole: () => Call<Workspace> = bind('GET /v1/me', 'workspace');
// @ts-expect-error: a list of endpoints.
export const hits: SearchOperation = bindList('GET /v1/webhooks/endpoints');

type NamesOf<Name extends keyof RouteQueries> = Exclude<keyof RouteQueries[Name], 'page'>;

// The parameters of a list have the names of the contract. The client sets `page` itself.
export type Names = [
  Expect<Equal<keyof ListDeliveriesParams, NamesOf<'GET /v1/webhooks/deliveries'>>>,
  Expect<Equal<keyof ListEventsParams, NamesOf<'GET /v1/events'>>>,
  Expect<Equal<keyof SearchParams, NamesOf<'GET /v1/search'>>>,
  Expect<Equal<keyof ListOrganizationsParams, NamesOf<'GET /v1/organizations'>>>,
];

// Where the client says more than the contract, it still says the same: see `Views` in surface.types.ts.
export type Closer = Expect<Equal<CloserTypes['GET /v1/events' | 'GET /v1/events/{eventId}'], Event>>;
