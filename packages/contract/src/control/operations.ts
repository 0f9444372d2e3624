import type { ERROR_STATUSES, ErrorCode } from '../errors.ts';
import type { OperationChanges } from '../operations.ts';
import type { ChangesMessage } from './resources/stream.ts';

/** The groups of operations, in the order of the OpenAPI document, with the purpose of each group. */
export const CONTROL_TAGS = {
  Time: 'Move the virtual clock, and wait for the work that becomes due.',
  Events: 'Trigger events as the service itself does, and see their deliveries.',
  Deliveries: 'Find out what happened to a delivery, and why.',
  Endpoints: 'The health of webhook endpoints.',
  Faults: 'Faults in responses of the API and in deliveries.',
  Profiles: 'The profiles of a workspace.',
  'Data sources': 'Where the profiles of a workspace come from.',
  Evaluations: 'Evaluations of the profiles of a workspace.',
  'Users and members': 'Users and their roles.',
  'Organizations and workspaces': 'The tenants of the service.',
  'Credentials and sessions': 'API keys, personal access tokens and sessions of the dashboard.',
  Snapshots: 'Replace, save, restore or export all data.',
  'Requests and notifications': 'Requests that the server received, and notifications that it sent.',
  Server: 'The server itself.',
} as const;

/**
 * The data that an operation changes. After the operation, the dashboard's open pages read this data again. With
 * `reported`, the operation's own code reports what has changed. The report contains at least the kinds of data that
 * `reported` lists.
 */
export type ControlChanges =
  | OperationChanges
  | { reported: readonly [keyof ChangesMessage, ...(keyof ChangesMessage)[]] };

/**
 * Who may call an operation: a caller with the admin token, or with an admin session that was issued for this token. If
 * the server has no admin token, anyone may call the operation.
 */
export type ControlCaller = 'adminToken' | 'adminSession' | 'anyoneWithoutToken';

interface Described {
  /** Who may call the operation. The headers Host and (if present) Origin of every call must name this server. */
  callers: readonly ControlCaller[];
  /** The path, with its `{parameters}`. */
  path: `/_control/${string}`;
  tag: keyof typeof CONTROL_TAGS;
  /** What the operation does, in a few words. */
  summary: string;
  /** More sentences about the operation. */
  details: string;
  /** The status of a successful response. */
  status: 200 | 201;
  /** The media type of a response that is not JSON. */
  mediaType?: string;
  /** The error statuses that have a specific meaning for this operation, each with its meaning. */
  errors?: Readonly<Partial<Record<(typeof ERROR_STATUSES)[ErrorCode], string>>>;
}

interface Read extends Described {
  method: 'GET';
  streamed?: never;
}

interface Write extends Described {
  method: 'POST' | 'PUT' | 'DELETE';
  changes: ControlChanges | 'nothing';
  /**
   * The name of the field for the body, in the argument of the client's method. Present only if the body is an array
   * that the server reads item by item.
   */
  streamed?: string;
}

/** One operation of the control API. */
export type ControlOperation = Read | Write;

const callers = ['adminToken', 'adminSession', 'anyoneWithoutToken'] as const;
const read = { callers, method: 'GET', status: 200 } as const;
const post = { callers, method: 'POST', status: 200 } as const;
const create = { callers, method: 'POST', status: 201 } as const;
const put = { callers, method: 'PUT', status: 200 } as const;
const remove = { callers, method: 'DELETE', status: 200 } as const;

const noDelivery = { errors: { 404: 'No such delivery.' } } as const;
const noEndpoint = { errors: { 404: 'No such endpoint.' } } as const;
const noWorkspace = { errors: { 404: 'No such workspace.' } } as const;
const noProfile = { errors: { 404: 'No such workspace or profile.' } } as const;

/**
 * All operations of the control API, keyed by their names in the code and in the OpenAPI document. This file is long
 * because it is one table.
 */
export const controlOperations = {
  reset: {
    ...post,
    path: '/_control/reset',
    tag: 'Snapshots',
    summary: 'Delete everything and apply a seed',
    details: 'Also resets the clock. Without `seed`, applies the seed with which the server started.',
    changes: { reported: ['reset', 'clock'] },
  },

  readClock: {
    ...read,
    path: '/_control/clock',
    tag: 'Time',
    summary: 'Show the virtual clock',
    details: 'The response shows how far the clock is ahead of real time.',
  },
  changeClock: {
    ...post,
    path: '/_control/clock',
    tag: 'Time',
    summary: 'Move, freeze, resume or reset the virtual clock',
    details:
      'Send exactly one of the fields. The call first does all work that becomes due, each item at its own virtual time, and then returns. A `reset` runs no work and does not change any due times. Pending deliveries, evaluations, syncs and the expiry of previous secrets wait until the clock reaches their time again.',
    changes: { reported: ['clock'] },
  },
  settle: {
    ...post,
    path: '/_control/settle',
    tag: 'Time',
    summary: 'Wait until nothing is due or in flight',
    details: 'Waits for at most `timeoutMs` of real time. The response shows how much work is still due or in flight.',
    changes: 'nothing',
  },
  wait: {
    ...read,
    path: '/_control/wait',
    tag: 'Time',
    summary: 'Wait until deliveries have a given status',
    details:
      'Specify a delivery, an event or an endpoint. Without a status, the call waits until no delivery is pending.',
    errors: {
      404: 'No such delivery, event or endpoint.',
      408: 'The time limit passed before all deliveries had the status. The response shows the status of each delivery.',
    },
  },

  createEvent: {
    ...create,
    path: '/_control/events',
    tag: 'Events',
    summary: 'Trigger one event or several',
    details:
      'An event of a published type must have the subject that its type requires. The subject of `lifecycle.evaluated` is a ' +
      'workspace, by default the workspace in `workspaceId`. `webhook.endpoint.auto_disabled` needs an endpoint: ' +
      '`{ "id": "whe_…", "type": "webhook_endpoint", "url": "/v1/webhooks/endpoints/whe_…" }`. ' +
      '`webhook.ping` has no subject. Types that a seed adds can have any subject or no subject. A subject has at ' +
      'most 64 KiB of JSON.',
    changes: { reported: ['events', 'deliveries'] },
    errors: {
      404: 'No such workspace.',
      503: 'Too many deliveries are waiting to be stored, or the database is unavailable. If the call contains several events, the server may have stored some of them already.',
    },
  },

  createOrganization: {
    ...create,
    path: '/_control/organizations',
    tag: 'Organizations and workspaces',
    summary: 'Create an organization',
    details: 'The new organization has no members and no workspaces.',
    changes: { tenants: true },
    errors: { 409: 'The slug is taken.' },
  },
  createWorkspace: {
    ...create,
    path: '/_control/workspaces',
    tag: 'Organizations and workspaces',
    summary: 'Create a workspace in an organization',
    details: 'The new workspace has no API key.',
    changes: { tenants: true },
    errors: { 404: 'No such organization.', 409: 'The slug is taken within the organization.' },
  },
  createUser: {
    ...create,
    path: '/_control/users',
    tag: 'Users and members',
    summary: 'Create a user',
    details: 'The user belongs to no organization yet.',
    changes: { tenants: true },
    errors: { 409: 'There is already a user with this email.' },
  },
  setOrganizationRole: {
    ...put,
    path: '/_control/organizations/{organizationId}/members/{userId}',
    tag: 'Users and members',
    summary: 'Set the role of a user in an organization',
    details:
      'A null role removes the user from the organization, and removes the overrides of this user in its workspaces.',
    changes: { tenants: true },
    errors: { 404: 'No such organization or user.' },
  },
  setWorkspaceOverride: {
    ...put,
    path: '/_control/workspaces/{workspaceId}/members/{userId}',
    tag: 'Users and members',
    summary: 'Override the role of a member in a workspace',
    details: 'The role `None` denies access. A null role removes the override.',
    changes: { tenants: true },
    errors: {
      404: 'No such workspace or user.',
      409: "The user is not a member of the workspace's organization.",
    },
  },

  createCredential: {
    ...create,
    path: '/_control/credentials',
    tag: 'Credentials and sessions',
    summary: 'Create a credential',
    details: 'Only this response contains the credential itself.',
    changes: { tenants: true },
    errors: { 404: 'No such workspace or user.' },
  },
  revokeCredential: {
    ...remove,
    path: '/_control/credentials/{credentialId}',
    tag: 'Credentials and sessions',
    summary: 'Revoke a credential',
    details: 'All servers reject the credential immediately.',
    changes: { tenants: true },
    errors: { 404: 'There is no such credential, or the credential is already revoked.' },
  },

  importProfiles: {
    ...put,
    path: '/_control/workspaces/{workspaceId}/profiles',
    tag: 'Profiles',
    summary: 'Create or update profiles by their external ids',
    details:
      'The body is a JSON array, or NDJSON with one profile on each line. The body can have any length. Invalid lines are counted, but not imported.',
    streamed: 'profiles',
    changes: { reported: ['lifecycle'] },
    errors: { 404: 'No such workspace.', 415: 'The body is neither JSON nor NDJSON.' },
  },
  listProfiles: {
    ...read,
    ...noWorkspace,
    path: '/_control/workspaces/{workspaceId}/profiles',
    tag: 'Profiles',
    summary: 'List the profiles of a workspace, most recently seen first',
    details: 'You can filter the profiles by state, or search them.',
  },
  readProfile: {
    ...read,
    ...noProfile,
    path: '/_control/workspaces/{workspaceId}/profiles/{profileId}',
    tag: 'Profiles',
    summary: 'Retrieve a profile',
    details: "The response includes the profile's signals, scores and state.",
  },
  deleteProfile: {
    ...remove,
    ...noProfile,
    path: '/_control/workspaces/{workspaceId}/profiles/{profileId}',
    tag: 'Profiles',
    summary: 'Delete a profile',
    details: 'The next evaluation does not include the profile.',
    changes: { lifecycle: true },
  },

  readDataSource: {
    ...read,
    ...noWorkspace,
    path: '/_control/workspaces/{workspaceId}/data-source',
    tag: 'Data sources',
    summary: 'Show the data source of a workspace',
    details: 'The response includes the result of the latest sync.',
  },
  setDataSource: {
    ...put,
    ...noWorkspace,
    path: '/_control/workspaces/{workspaceId}/data-source',
    tag: 'Data sources',
    summary: 'Set the data source of a workspace',
    details:
      'If the kind is `push`, callers import the profiles. If the kind is `ndjson`, the server itself reads a file or an https URL. Without `schedule`, the server reads the source only on request. With `schedule`, the server also reads the source at this interval, and the first interval begins now.',
    changes: { lifecycle: true },
  },
  syncDataSource: {
    ...post,
    path: '/_control/workspaces/{workspaceId}/data-source/sync',
    tag: 'Data sources',
    summary: 'Read the data source of a workspace now',
    details: 'The response contains the number of imported lines, and the first 100 rejected lines.',
    changes: { reported: ['lifecycle'] },
    errors: {
      404: 'No such workspace.',
      409: 'Callers push the profiles of this workspace, so there is no data source to read.',
    },
  },
  evaluate: {
    ...post,
    ...noWorkspace,
    path: '/_control/workspaces/{workspaceId}/evaluate',
    tag: 'Evaluations',
    summary: 'Evaluate the profiles of a workspace now',
    details: 'If an evaluation is running, the new evaluation starts when the running evaluation has ended.',
    changes: { reported: ['lifecycle', 'events', 'deliveries'] },
  },
  listEvaluations: {
    ...read,
    ...noWorkspace,
    path: '/_control/workspaces/{workspaceId}/evaluations',
    tag: 'Evaluations',
    summary: 'List the evaluations of a workspace, newest first',
    details:
      'For each evaluation, the response shows how many profiles are in each state, and how many moved between each pair of states.',
  },
  readSchedule: {
    ...read,
    ...noWorkspace,
    path: '/_control/workspaces/{workspaceId}/schedule',
    tag: 'Evaluations',
    summary: 'Show when the next evaluation and the next sync are due',
    details: 'A time is null if no evaluation or no sync is scheduled.',
  },

  listAttempts: {
    ...read,
    ...noDelivery,
    path: '/_control/deliveries/{deliveryId}/attempts',
    tag: 'Deliveries',
    summary: 'List the attempts of a delivery',
    details: 'Each attempt has its request, its response and its times.',
  },
  explainDelivery: {
    ...read,
    ...noDelivery,
    path: '/_control/deliveries/{deliveryId}/explanation',
    tag: 'Deliveries',
    summary: 'Explain the state of a delivery, and what happens next',
    details: 'Returns an explanation for people, and a reason code for programs.',
  },

  listNotifications: {
    ...read,
    path: '/_control/notifications',
    tag: 'Requests and notifications',
    summary: 'List the notifications to users, newest first',
    details: 'With `userId`, lists the notifications of one user.',
  },
  listRequests: {
    ...read,
    path: '/_control/requests',
    tag: 'Requests and notifications',
    summary: 'List the latest 1,000 API requests to this server',
    details: 'The newest requests come first. The list never contains credentials.',
  },
  readRequest: {
    ...read,
    path: '/_control/requests/{requestId}',
    tag: 'Requests and notifications',
    summary: 'Read one of the latest 1,000 API requests to this server',
    details: 'The response never contains credentials.',
    errors: { 404: 'This server received no such request, or has received 1,000 newer requests.' },
  },

  createFault: {
    ...create,
    path: '/_control/faults',
    tag: 'Faults',
    summary: 'Inject a fault into responses of the API or into deliveries',
    details: 'The fault applies until you remove it. With `times`, the fault applies at most this many times.',
    changes: { reported: ['faults'] },
    errors: { 409: 'There are 1,000 faults already.' },
  },
  listFaults: {
    ...read,
    path: '/_control/faults',
    tag: 'Faults',
    summary: 'List the faults with their counts',
    details: 'The faults are in the order in which the server checks them.',
  },
  clearFaults: {
    ...remove,
    path: '/_control/faults',
    tag: 'Faults',
    summary: 'Remove all faults',
    details: 'The counts of the faults are also deleted.',
    changes: { reported: ['faults'] },
  },
  endFault: {
    ...remove,
    path: '/_control/faults/{faultId}',
    tag: 'Faults',
    summary: 'Remove a fault',
    details: 'Other faults are not removed.',
    changes: { reported: ['faults'] },
    errors: { 404: 'No such fault.' },
  },

  saveSnapshot: {
    ...post,
    path: '/_control/snapshots/{name}',
    tag: 'Snapshots',
    summary: 'Save everything as a snapshot',
    details: 'If a snapshot with this name exists, the new snapshot replaces it.',
    changes: 'nothing',
  },
  restoreSnapshot: {
    ...post,
    path: '/_control/snapshots/{name}/restore',
    tag: 'Snapshots',
    summary: 'Restore a snapshot',
    details: 'Restores all data, the clock and the faults. If the restore fails, nothing changes.',
    changes: { reported: ['reset', 'clock'] },
    errors: {
      404: 'No such snapshot.',
      409: 'The snapshot is damaged, or was saved by a version of the server that has a different database schema.',
    },
  },
  listSnapshots: {
    ...read,
    path: '/_control/snapshots',
    tag: 'Snapshots',
    summary: 'List the snapshots, ordered by name',
    details: 'Each snapshot has the time at which it was saved.',
  },
  deleteSnapshot: {
    ...remove,
    path: '/_control/snapshots/{name}',
    tag: 'Snapshots',
    summary: 'Delete a snapshot',
    details: 'The data of the server does not change.',
    changes: 'nothing',
    errors: { 404: 'No such snapshot.' },
  },

  readInfo: {
    ...read,
    path: '/_control/info',
    tag: 'Server',
    summary: 'Describe this server',
    details: 'In the local profile, the response contains those credentials of the seed that are still valid.',
  },
  createSession: {
    ...create,
    path: '/_control/sessions',
    tag: 'Credentials and sessions',
    summary: 'Create a session for the dashboard',
    details:
      'A session for a user or an API key lasts 15 minutes. An admin session lasts 8 hours, and can be used instead of the admin token. Rate limits and faults do not apply to calls with a session, and the request log does not contain these calls.',
    changes: 'nothing',
    errors: {
      401: 'An admin session cannot issue another admin session: send the admin token.',
      404: 'No such user or workspace.',
    },
  },

  listOrganizations: {
    ...read,
    path: '/_control/organizations',
    tag: 'Organizations and workspaces',
    summary: 'List the organizations, newest first',
    details: 'Each organization includes its first 100 workspaces, ordered by slug.',
  },
  listMembers: {
    ...read,
    path: '/_control/organizations/{organizationId}/members',
    tag: 'Users and members',
    summary: 'List the members of an organization, ordered by user id',
    details: "Each member includes the overrides in the organization's workspaces.",
    errors: { 404: 'No such organization.' },
  },
  listUsers: {
    ...read,
    path: '/_control/users',
    tag: 'Users and members',
    summary: 'List the users, newest first',
    details: 'With `q`, lists the users whose email begins with `q`, sorted by email.',
  },
  listCredentials: {
    ...read,
    path: '/_control/credentials',
    tag: 'Credentials and sessions',
    summary: 'List the API keys of a workspace, or the personal access tokens of a user',
    details:
      'Specify either a workspace or a user. The newest credentials come first. The list never contains the plain text of a credential.',
  },
  listEndpoints: {
    ...read,
    ...noWorkspace,
    path: '/_control/endpoints',
    tag: 'Endpoints',
    summary: 'Show the health of the endpoints of a workspace',
    details:
      'For each endpoint, shows how many consecutive deliveries have failed, when the endpoint was disabled, and when the next attempt is due. The list is always one page.',
  },
  readEndpoint: {
    ...read,
    ...noEndpoint,
    path: '/_control/endpoints/{endpointId}',
    tag: 'Endpoints',
    summary: 'Show the health of an endpoint',
    details:
      'The response lists the secrets of the endpoint, without their values. Expired secrets stay in the list until the next rotation.',
  },
  readListenSecret: {
    ...read,
    ...noWorkspace,
    path: '/_control/workspaces/{workspaceId}/listen-secret',
    tag: 'Endpoints',
    summary: 'Show the signing secret of svc-mock listen',
    details:
      'Each workspace has one secret for `svc-mock listen`, derived from the master key. This secret does not change while you keep the data of the server, so you can write the secret to an `.env` file.',
  },
  useListenSecret: {
    ...put,
    ...noEndpoint,
    path: '/_control/endpoints/{endpointId}/listen-secret',
    tag: 'Endpoints',
    summary: 'Sign the deliveries of an endpoint with the secret of svc-mock listen',
    details: 'Immediately replaces all secrets of the endpoint.',
    changes: { endpoints: 'endpointId' },
  },
  readActivity: {
    ...read,
    ...noEndpoint,
    path: '/_control/endpoints/{endpointId}/activity',
    tag: 'Endpoints',
    summary: 'List the latest 1,000 deliveries of an endpoint, newest first',
    details: 'For each delivery, the response contains only the id, the status and the creation time.',
  },
  listDeliveriesOfEvent: {
    ...read,
    path: '/_control/events/{eventId}/deliveries',
    tag: 'Events',
    summary: 'List the deliveries of an event',
    details:
      'There is one delivery for each endpoint that subscribed to the event type. A test event has one delivery, to the endpoint that was tested. A replay has its own event id, so the list does not contain replays. The list for the event id of a replay contains only the delivery of the replay.',
    errors: { 404: 'No such event.' },
  },
  listReplays: {
    ...read,
    ...noDelivery,
    path: '/_control/deliveries/{deliveryId}/replays',
    tag: 'Deliveries',
    summary: 'List the replays of a delivery',
    details:
      'A replay sends the payload of the original delivery to the same endpoint. The server takes the newest 20 replays of the event, and returns the deliveries of the replays that went to this endpoint. The response also contains the original delivery. The response leaves out the delivery that the path names.',
  },
  signDelivery: {
    ...post,
    path: '/_control/deliveries/{deliveryId}/signature',
    tag: 'Deliveries',
    summary: 'Sign the request of a delivery again',
    details:
      'The server signs with the real time and the current secrets of the endpoint. You can then send the request by hand.',
    changes: 'nothing',
    errors: {
      404: 'No such delivery.',
      409: 'The endpoint of the delivery was deleted, so the server has no secret to sign with.',
    },
  },
  find: {
    ...read,
    path: '/_control/find',
    tag: 'Server',
    summary: 'Find a resource by its id, and show which workspace or organization the resource belongs to',
    details:
      'The id can belong to any resource, a finished evaluation, an active fault, or a request that this server received.',
    errors: { 404: 'No resource has this id.' },
  },
  readStream: {
    ...read,
    path: '/_control/stream',
    tag: 'Server',
    summary: 'Stream changes as server-sent events',
    details:
      'The first message is `hello`. Then, `changed` messages follow, at most one every 250 ms. A message names the data that may have changed, and never contains the data itself. While nothing changes, a comment (`:`) follows every 15 seconds. A stream that you opened with an admin session ends with the session.',
    mediaType: 'text/event-stream',
  },
  exportData: {
    ...read,
    path: '/_control/export',
    tag: 'Snapshots',
    summary: 'Export a consistent copy of all data',
    details:
      'You can export while the server runs. Each line is one row of the database, in the format that `svc-mock import` reads. ' +
      'The last line is `{"end":true,"rows":…}`. If this line is missing, the export is incomplete. The server stops an export if the client reads ' +
      'nothing for 10 s, or on average less than 128 KiB per second.',
    mediaType: 'application/x-ndjson',
    errors: { 409: 'This server is already running 2 exports.' },
  },
  readSeedSchema: {
    ...read,
    path: '/_control/seed.schema.json',
    tag: 'Server',
    summary: 'Show the JSON Schema of seed files, for editors',
    details: 'Editors use the schema to complete and check seed files.',
  },
  readOpenApi: {
    ...read,
    path: '/_control/openapi.json',
    tag: 'Server',
    summary: 'Show the OpenAPI document of the control API',
    details: 'The `servers` field of the document has the public URL of this server.',
  },
} as const satisfies Record<string, ControlOperation>;
