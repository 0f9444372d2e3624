import type { Conflict } from './conflicts.ts';
import type { CredentialKind } from './credentials.ts';
import type { BodyName, QueryName, ResponseName } from './operation-types.ts';
import type { WorkspacePermission } from './permissions.ts';

interface Change {
  tenants: true;
  lifecycle: true;
  /** The number of events that were stored. */
  events: number;
  /** The place of a delivery's id in the call. */
  deliveries: string;
  /** The place of an endpoint's id in the call. */
  endpoints: string;
}

/**
 * The data that a call changes, so that pages that show it read it again. At least one field is present. An id is
 * specified by its place in the response, such as `endpoint.id`, or by a parameter in the path. The engine is also
 * informed about changed deliveries and endpoints.
 */
export type OperationChanges = { [Key in keyof Change]: Pick<Change, Key> & Partial<Change> }[keyof Change];

/** One operation of the service, with everything that routing, access checks, documents and clients need. */
export type Operation = Described &
  ({ method: 'GET'; changes?: never } | { method: 'POST' | 'PATCH' | 'DELETE'; changes: OperationChanges | 'nothing' });

interface Described {
  /** The path, with its `{parameters}`. */
  path: `/v1/${string}`;
  /** The purpose of the operation, in a few words. */
  summary: string;
  /** More sentences that a caller should know. */
  details: string;
  tag: 'Workspaces' | 'Organizations and identity' | 'Webhook endpoints' | 'Webhook deliveries' | 'Events';
  /** The kinds of credential with which the operation may be called. */
  credentials: readonly CredentialKind[];
  /**
   * How a request selects the workspace: in the path, by API key or header, or not at all. In all cases, the server
   * checks the header if it is sent.
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

/** All operations of the service document ("Endpoints"), by the name that the code and OpenAPI use. */
export const operations = {
  listWorkspaces: {
    ...singlePage,
    path: '/v1/workspaces',
    summary: 'List the workspaces that the user can access',
    details:
      'Includes workspaces that the user can access through a role in the organization. All workspaces are on one page.',
    tag: 'Workspaces',
    credentials: tokenOnly,
    scope: 'none',
    permission: null,
    response: 'WorkspaceList',
  },
  retrieveWorkspace: {
    ...retrieve,
    path: '/v1/workspaces/{workspaceId}',
    summary: 'Retrieve a workspace',
    details: 'An API key can retrieve only its own workspace.',
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
    summary: 'Update a workspace',
    details:
      'Changes only the fields that the body contains. A new time zone or first day of the week triggers an evaluation.',
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
    summary: 'List the organizations that the user belongs to',
    details: 'With `expand=workspaces`, each organization contains the workspaces that the user can access.',
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
    summary: 'Identify the caller',
    details: 'Describes the credential, and the user or the workspace to which the credential belongs.',
    tag: 'Organizations and identity',
    credentials: both,
    scope: 'none',
    permission: null,
    response: 'Identity',
  },
  search: {
    ...pages,
    path: '/v1/search',
    summary: 'Search a workspace',
    details: 'Finds profiles and webhook endpoints.',
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
    summary: 'List the webhook endpoints of the workspace',
    details: 'A workspace has at most 100 endpoints, all on one page.',
    response: 'WebhookEndpointList',
  },
  retrieveWebhookEndpoint: {
    ...retrieve,
    ...readWebhooks,
    ...endpointTag,
    path: '/v1/webhooks/endpoints/{endpointId}',
    summary: 'Retrieve a webhook endpoint',
    details: 'The response does not contain the signing secret.',
    response: 'WebhookEndpointResponse',
  },
  createWebhookEndpoint: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'POST',
    path: '/v1/webhooks/endpoints',
    summary: 'Create a webhook endpoint',
    details: 'The response contains the signing secret, which is returned only once.',
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
    summary: 'Update, pause or resume a webhook endpoint',
    details:
      'Changes only the fields that the body contains. While an endpoint is inactive, it receives no deliveries.',
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
    summary: 'Delete a webhook endpoint',
    changes: { endpoints: 'endpointId' },
    details: "Also revokes the endpoint's secrets. This cannot be undone. Past deliveries are kept.",
    response: 'Ok',
  },
  listEventTypes: {
    ...pages,
    ...readWebhooks,
    ...endpointTag,
    path: '/v1/webhooks/endpoints/event-types',
    summary: 'List the event catalog',
    details: 'Lists the types of events to which an endpoint can subscribe.',
    response: 'EventTypeList',
  },
  listEventTypesByShortPath: {
    ...pages,
    ...readWebhooks,
    ...endpointTag,
    path: '/v1/webhooks/event-types',
    summary: 'List the event catalog (short path)',
    details: 'Returns the same list as `/v1/webhooks/endpoints/event-types`.',
    response: 'EventTypeList',
  },
  rotateWebhookSecret: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpointId}/rotate-secret',
    summary: 'Rotate the signing secret',
    changes: { endpoints: 'endpointId' },
    details: 'The previous secret keeps signing for 24 hours.',
    response: 'WebhookSecretResponse',
    conflicts: ['secrets'],
  },
  sendTestEvent: {
    ...write,
    ...changeWebhooks,
    ...endpointTag,
    method: 'POST',
    path: '/v1/webhooks/endpoints/{endpointId}/send-test-event',
    summary: 'Send a test event',
    changes: { events: 1, deliveries: 'ping.deliveryId' },
    details: 'Enqueues a `webhook.ping` delivery to the endpoint. The endpoint must be active.',
    status: 202,
    response: 'PingResponse',
    conflicts: ['inactive'],
  },
  listWebhookDeliveries: {
    ...pages,
    ...readWebhooks,
    ...deliveryTag,
    path: '/v1/webhooks/deliveries',
    summary: 'List deliveries, newest first',
    details:
      'With several filters, a page can have fewer items than `limit`, or none. The list ends when `nextPageUrl` is null.',
    query: 'ListWebhookDeliveriesPageQuery',
    response: 'WebhookDeliveryList',
  },
  retrieveWebhookDelivery: {
    ...retrieve,
    ...readWebhooks,
    ...deliveryTag,
    path: '/v1/webhooks/deliveries/{deliveryId}',
    summary: 'Retrieve a delivery',
    details: "The response includes the request and the response of the delivery's latest attempt.",
    response: 'WebhookDeliveryResponse',
  },
  replayWebhookDelivery: {
    ...write,
    ...changeWebhooks,
    ...deliveryTag,
    method: 'POST',
    path: '/v1/webhooks/deliveries/{deliveryId}/replay',
    summary: 'Replay a delivery',
    changes: { deliveries: 'delivery.id' },
    details: "Sends the delivery's payload again, as a new delivery.",
    status: 202,
    response: 'ReplayResponse',
    conflicts: ['inactive', 'deleted'],
  },
  retrieveEvent: {
    ...retrieve,
    ...readWebhooks,
    path: '/v1/events/{eventId}',
    summary: 'Retrieve an event',
    details: 'Returns the same body that was sent to the endpoints.',
    tag: 'Events',
    response: 'Event',
  },
  listEvents: {
    ...pages,
    ...readWebhooks,
    path: '/v1/events',
    summary: 'List events, newest first',
    details:
      'With several filters, a page can have fewer items than `limit`, or none. The list ends when `nextPageUrl` is null.',
    tag: 'Events',
    query: 'ListEventsPageQuery',
    response: 'EventList',
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;
