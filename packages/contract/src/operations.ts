import type { Conflict } from './conflicts.ts';
import type { CredentialKind } from './credentials.ts';
import type { BodyName, QueryName, ResponseName } from './operation-types.ts';
import type { WorkspacePermission } from './permissions.ts';

interface Change {
  tenants: true;
  lifecycle: true;
  /** The number of events that the call stores. */
  events: number;
  /** Where to find the id of the changed delivery: a field of the response (`delivery.id`), or a path parameter. */
  deliveries: string;
  /** Where to find the id of the changed endpoint: a field of the response (`endpoint.id`), or a path parameter. */
  endpoints: string;
}

/**
 * The data that a call changes. After the call, the dashboard's open pages read this data again. At least one field is
 * present. The server also tells the delivery engine which deliveries and endpoints have changed.
 */
export type OperationChanges = { [Key in keyof Change]: Pick<Change, Key> & Partial<Change> }[keyof Change];

/**
 * One operation of the service: the data that routing, access checks, documents and clients need about the operation.
 */
export type Operation = Described &
  ({ method: 'GET'; changes?: never } | { method: 'POST' | 'PATCH' | 'DELETE'; changes: OperationChanges | 'nothing' });

interface Described {
  /** The path, with its `{parameters}`. */
  path: `/v1/${string}`;
  tag: 'Workspaces' | 'Organizations and identity' | 'Webhook endpoints' | 'Webhook deliveries' | 'Events';
  /** The kinds of credential that may call the operation. */
  credentials: readonly CredentialKind[];
  /**
   * Where the workspace of a request comes from. `path`: the path. `header`: the API key, or the workspace header.
   * `none`: the operation needs no workspace. In all three cases, the server checks the workspace header if the request
   * has this header.
   */
  scope: 'path' | 'header' | 'none';
  /** The permission that the caller needs in the workspace. */
  permission: WorkspacePermission | null;
  query: QueryName | null;
  body: BodyName | null;
  response: ResponseName;
  /** The status of a successful response. */
  status: 200 | 201 | 202;
  /** Whether the operation returns one resource, a list that always has one page, or a list with several pages. */
  list: 'no' | 'single-page' | 'pages';
  /** The names that `expand` accepts. Null if the operation has no `expand`. */
  expand: readonly string[] | null;
  /** The conflicts that can occur (409). */
  conflicts: readonly Conflict[];
}

const both = ['api_key', 'personal_access_token'] as const;
const tokenOnly = ['personal_access_token'] as const;

const retrieve = {
  method: 'GET',
  status: 200,
  list: 'no',
  query: null,
  body: null,
  expand: null,
  conflicts: [],
} as const;
const singlePage = { ...retrieve, list: 'single-page', query: 'ListQuery' } as const;
const pages = { ...retrieve, list: 'pages', query: 'ListQuery' } as const;
const write = { status: 200, list: 'no', query: null, body: null, expand: null, conflicts: [] } as const;

const readWebhooks = { credentials: both, scope: 'header', permission: 'workspace:developer:read' } as const;
const changeWebhooks = { credentials: both, scope: 'header', permission: 'workspace:developer:write' } as const;
const endpointTag = { tag: 'Webhook endpoints' } as const;
const deliveryTag = { tag: 'Webhook deliveries' } as const;

/** All operations in the section "Endpoints" of the service document, keyed by their names in code and OpenAPI. */
export const operations = {
  listWorkspaces: {
    ...singlePage,
    path: '/v1/workspaces',
    tag: 'Workspaces',
    credentials: tokenOnly,
    scope: 'none',
    permission: null,
    response: 'WorkspaceList',
  },
  retrieveWorkspace: {
    ...retrieve,
    path: '/v1/workspaces/{workspaceId}',
    tag: 'Workspaces',
    credentials: both,
    scope: 'path',
    permission: 'workspace:settings:read',
    response: 'WorkspaceResponse',
  },
  updateWorkspace: {
    ...write,
    method: 'PATCH',
    path: '/v1/workspaces/{workspaceId}',
    tag: 'Workspaces',
    credentials: both,
    scope: 'path',
    permission: 'workspace:settings:write',
    body: 'UpdateWorkspaceBody',
    changes: { tenants: true },
    response: 'UpdatedWorkspaceResponse',
    conflicts: ['slug'],
  },
  listOrganizations: {
    ...singlePage,
    path: '/v1/organizations',
    tag: 'Organizations and identity',
    credentials: tokenOnly,
    scope: 'none',
    permission: null,
    query: 'ListOrganizationsQuery',
    response: 'OrganizationList',
    expand: ['workspaces'],
  },
  retrieveIdentity: {
    ...retrieve,
    path: '/v1/me',
    tag: 'Organizations and identity',
    credentials: both,
    scope: 'none',
    permission: null,
    response: 'Identity',
  },
  search: {
    ...pages,
    path: '/v1/search',
    tag: 'Organizations and identity',
    credentials: both,
    scope: 'header',
    permission: 'workspace:profiles:read',
    query: 'SearchListQuery',
    response: 'SearchResultList',
  },
  listWebhookEndpoints: {
    ...singlePage,
    ...readWebhooks,
    ...endpointTag,
    path: '/v1/webhooks/endpoints',
    response: 'WebhookEndpointList',
  },
  retrieveWebhookEndpoint: {
    ...retrieve,
    ...readWebhooks,
    ...endpointTag,
    path: '/v1/webhooks/endpoints/{endpointId}',
    response: 'WebhookEndpointResponse',
  },
  createWebhookEndpoint: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    status: 201,
    body: 'CreateWebhookEndpointBody',
    changes: { endpoints: 'endpoint.id' },
    response: 'CreatedWebhookEndpoint',
    conflicts: ['endpoints'],
  },
  updateWebhookEndpoint: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'PATCH',
    path: '/v1/webhooks/endpoints/{endpointId}',
    body: 'UpdateWebhookEndpointBody',
    changes: { endpoints: 'endpoint.id' },
    response: 'WebhookEndpointResponse',
  },
  deleteWebhookEndpoint: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'DELETE',
    path: '/v1/webhooks/endpoints/{endpointId}',
    changes: { endpoints: 'endpointId' },
    response: 'Ok',
  },
  listEventTypes: {
    ...pages,
    ...readWebhooks,
    ...endpointTag,
    path: '/v1/webhooks/endpoints/event-types',
    response: 'EventTypeList',
  },
  listEventTypesByShortPath: {
    ...pages,
    ...readWebhooks,
    ...endpointTag,
    path: '/v1/webhooks/event-types',
    response: 'EventTypeList',
  },
  rotateWebhookSecret: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpointId}/rotate-secret',
    changes: { endpoints: 'endpointId' },
    response: 'WebhookSecretResponse',
    conflicts: ['secrets'],
  },
  sendTestEvent: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpointId}/send-test-event',
    changes: { events: 1, deliveries: 'ping.deliveryId' },
    status: 202,
    response: 'PingResponse',
    conflicts: ['inactive'],
  },
  listWebhookDeliveries: {
    ...pages,
    ...readWebhooks,
    ...deliveryTag,
    path: '/v1/webhooks/deliveries',
    query: 'ListWebhookDeliveriesPageQuery',
    response: 'WebhookDeliveryList',
  },
  retrieveWebhookDelivery: {
    ...retrieve,
    ...readWebhooks,
    ...deliveryTag,
    path: '/v1/webhooks/deliveries/{deliveryId}',
    response: 'WebhookDeliveryResponse',
  },
  replayWebhookDelivery: {
    ...write,
    ...changeWebhooks,
    ...deliveryTag,
    method: 'POST',
    path: '/v1/webhooks/deliveries/{deliveryId}/replay',
    changes: { deliveries: 'delivery.id' },
    status: 202,
    response: 'ReplayResponse',
    conflicts: ['inactive', 'deleted'],
  },
  retrieveEvent: {
    ...retrieve,
    ...readWebhooks,
    path: '/v1/events/{eventId}',
    tag: 'Events',
    response: 'Event',
  },
  listEvents: {
    ...pages,
    ...readWebhooks,
    path: '/v1/events',
    tag: 'Events',
    query: 'ListEventsPageQuery',
    response: 'EventList',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
