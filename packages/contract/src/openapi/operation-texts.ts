import type { OperationName } from '../operations.ts';

/** What the OpenAPI document and the reference pages say about an operation. */
export interface OperationTexts {
  /** What the operation does, in a few words. */
  summary: string;
  /** More sentences about the operation. */
  details: string;
}

/** These texts are not in the operations table, because the client package contains the table and should stay small. */
export const operationTexts: Readonly<Record<OperationName, OperationTexts>> = {
  listWorkspaces: {
    summary: 'List the workspaces that the user can access',
    details:
      'Includes workspaces that the user can access through a role in the organization. All workspaces are on one page.',
  },
  retrieveWorkspace: {
    summary: 'Retrieve a workspace',
    details: 'An API key can retrieve only its own workspace.',
  },
  updateWorkspace: {
    summary: 'Update a workspace',
    details:
      'Changes only the fields that the body contains. A change of the time zone or of the first day of the week triggers an evaluation.',
  },
  listOrganizations: {
    summary: 'List the organizations that the user belongs to',
    details: 'With `expand=workspaces`, each organization contains the workspaces that the user can access.',
  },
  retrieveIdentity: {
    summary: 'Identify the caller',
    details: 'Describes the credential, and the user or the workspace to which the credential belongs.',
  },
  search: {
    summary: 'Search a workspace',
    details: 'Finds profiles and webhook endpoints.',
  },
  listWebhookEndpoints: {
    summary: 'List the webhook endpoints of the workspace',
    details: 'A workspace has at most 100 endpoints, all on one page.',
  },
  retrieveWebhookEndpoint: {
    summary: 'Retrieve a webhook endpoint',
    details: 'The response does not contain the signing secret.',
  },
  createWebhookEndpoint: {
    summary: 'Create a webhook endpoint',
    details: 'The response contains the signing secret, which is returned only once.',
  },
  updateWebhookEndpoint: {
    summary: 'Update, pause or resume a webhook endpoint',
    details:
      'Changes only the fields that the body contains. While an endpoint is inactive, it receives no deliveries.',
  },
  deleteWebhookEndpoint: {
    summary: 'Delete a webhook endpoint',
    details: "Also revokes the endpoint's secrets. The deletion cannot be undone. Past deliveries are kept.",
  },
  listEventTypes: {
    summary: 'List the event catalog',
    details: 'Lists the types of events to which an endpoint can subscribe.',
  },
  listEventTypesByShortPath: {
    summary: 'List the event catalog (short path)',
    details: 'Returns the same list as `/v1/webhooks/endpoints/event-types`.',
  },
  rotateWebhookSecret: {
    summary: 'Rotate the signing secret',
    details: 'The previous secret keeps signing for 24 hours.',
  },
  sendTestEvent: {
    summary: 'Send a test event',
    details: 'Enqueues a `webhook.ping` delivery to the endpoint. The endpoint must be active.',
  },
  listWebhookDeliveries: {
    summary: 'List deliveries, newest first',
    details:
      'With several filters or large items, a page can have fewer items than `limit`. With several filters, a page can also be empty. The list ends when `nextPageUrl` is null.',
  },
  retrieveWebhookDelivery: {
    summary: 'Retrieve a delivery',
    details: "The response includes the request and the response of the delivery's latest attempt.",
  },
  replayWebhookDelivery: {
    summary: 'Replay a delivery',
    details: "Sends the delivery's payload again, as a new delivery.",
  },
  retrieveEvent: {
    summary: 'Retrieve an event',
    details: 'Returns the same body that was sent to the endpoints.',
  },
  listEvents: {
    summary: 'List events, newest first',
    details:
      'With several filters or large items, a page can have fewer items than `limit`. With several filters, a page can also be empty. The list ends when `nextPageUrl` is null.',
  },
};
