import type { z } from 'zod';
import type { ChangesMessage } from '../../control/resources/stream.ts';
import type { controlResources } from '../../control/schemas/resources.ts';
import { WEBHOOK_HEADERS } from '../../headers.ts';
import { RETRY_DELAYS_MS } from '../../limits.ts';
import {
  delivered,
  deliveredDetail,
  events,
  replay,
  retrying,
  retryingDetail,
  signedAgain,
  signedRequests,
} from '../examples/deliveries.ts';
import {
  disabledEndpointId,
  embeddedWorkspace,
  identityOfKey,
  organization,
  rotatedSecret,
  webhookEndpoint,
  webhookSecret,
  workspace,
} from '../examples/resources.ts';

const [autoDisabled, , evaluatedNextDay, evaluated] = events;

const user = { id: 'usr_01KGENV700MS9GAAQPMFYHPMQ8', email: 'ada@acme.example', name: 'Ada Lovelace' };
const plainOrganization = {
  id: organization.id,
  slug: organization.slug,
  name: organization.name,
  logo: organization.logo,
};
const key = {
  kind: 'api_key',
  name: 'Acme Production',
  credential: 'svc_sk_test_Jw3mYq8VtD0eR6uNcZ5bHxKa',
  workspaceId: workspace.id,
  role: null,
} as const;
const token = {
  kind: 'personal_access_token',
  name: user.name,
  credential: 'svc_pat_test_p4TzXn1LkQ7sWvGy2MfBdRcE',
  workspaceId: null,
  role: 'Owner',
} as const;
const sentTo = { id: delivered.id, endpointId: delivered.endpointId, attempt: delivered.attempt };
const eventDelivery = { ...sentTo, status: delivered.status, createdAt: delivered.createdAt };
const replayed = { ...replay, status: 'success', attempt: 1, createdAt: '2026-03-02T10:00:10.440Z' };
const problem = { line: 17, message: '"externalId" is missing; it must be a string.' };
const sync = {
  startedAt: '2026-03-01T09:00:00.000Z',
  finishedAt: '2026-03-01T09:00:01.250Z',
  upserted: 248,
  rejected: 1,
  problems: [problem],
  error: null,
};
/** The result of the next sync, an hour later, when the source was down. */
const failedSync = {
  startedAt: '2026-03-01T10:00:00.000Z',
  finishedAt: '2026-03-01T10:00:10.004Z',
  upserted: 0,
  rejected: 0,
  problems: [],
  error: 'The source responded with status 503.',
};
const scores = { engagement: 49, churnRisk: 9 };
const signals = {
  daysSinceLastSeen: 1,
  daysSinceFirstSeen: 26,
  activeDaysLast7: 2,
  activeDaysLast28: 8,
  activeDaysThisWeek: 2,
  activeDaysLastWeek: 4,
  weekOverWeek: -2,
};
const transitions = [
  { from: null, to: 'new', profiles: 6 },
  { from: 'active', to: 'at_risk', profiles: 3 },
] as const;
const state = {
  id: webhookEndpoint.id,
  workspaceId: workspace.id,
  active: true,
  consecutiveFailures: 2,
  failuresUntilDisabled: 3,
  disabledAt: null,
  nextDueAt: retryingDetail.nextAttemptAt ?? null,
};
const secret = {
  id: rotatedSecret.id,
  preview: rotatedSecret.secretPreview,
  createdAt: rotatedSecret.createdAt,
  expiresAt: null,
  pinned: false,
};
/** This secret signs for another 24 hours after the rotation. */
const previousSecret = {
  id: webhookSecret.id,
  preview: webhookSecret.secretPreview,
  createdAt: webhookSecret.createdAt,
  expiresAt: '2026-03-07T07:00:00.000Z',
  pinned: false,
};
const secretOfDisabled = {
  id: 'whs_01KGEPZTW08M2V5R1T9Q4X7N3D',
  preview: 'whsec_p4TzX…BdRc',
  createdAt: '2026-02-02T08:20:00.000Z',
  expiresAt: null,
  pinned: true,
};
const disabled = {
  ...state,
  id: disabledEndpointId,
  active: false,
  consecutiveFailures: 5,
  failuresUntilDisabled: null,
  disabledAt: autoDisabled.created,
  nextDueAt: null,
};
const compact = { id: delivered.id, status: delivered.status, createdAt: delivered.createdAt };
const counts = { times: 2, remaining: 1, probability: 1, randomSeed: 42, matched: 1, struck: 1 };
const triggered = {
  event: evaluated,
  deliveries: [{ id: delivered.id, endpointId: delivered.endpointId, status: 'pending' }],
};
const triggeredLater = {
  event: autoDisabled,
  deliveries: [
    {
      id: signedRequests[autoDisabled.type].headers[WEBHOOK_HEADERS.id] ?? '',
      endpointId: webhookEndpoint.id,
      status: 'pending',
    },
  ],
};
const faultId = (character: string) => `flt_01KJPZ6Q4${character}6M2RC0T9D3XW8V1N`;

const streamClock = { now: retrying.createdAt, offsetMs: 86_400_000, frozen: true, moving: false };
const hello = { instanceId: '01KJMBPZ0G4T8Q2W6N9X1D5R7V', dataId: 'none', version: '1.0.0', clock: streamClock };
const changes = {
  deliveries: { ids: [delivered.id], count: 2 },
  endpoints: [webhookEndpoint.id],
  events: 1,
  requests: 3,
  faults: true,
  tenants: true,
  notifications: 1,
  lifecycle: true,
  clock: streamClock,
  reset: true,
} satisfies ChangesMessage;

type Resources = typeof controlResources;

/**
 * Each field has a value in at least one sample. All samples are in one long file, because they describe the same
 * deliveries, profiles and endpoints.
 */
export const controlSamples: { readonly [Name in keyof Resources]: readonly z.output<Resources[Name]>[] } = {
  ControlOrganization: [plainOrganization],
  ControlUser: [user],
  OrganizationWorkspace: [
    {
      id: workspace.id,
      slug: workspace.slug,
      name: workspace.name,
      image: embeddedWorkspace.image,
      timezone: workspace.timezone,
      weekStartsOn: workspace.weekStartsOn,
    },
  ],
  get OrganizationItem() {
    const workspaces = [...this.OrganizationWorkspace];
    return [{ ...plainOrganization, createdAt: '2026-02-02T08:00:00.000Z', workspaces, moreWorkspaces: false }];
  },
  OrganizationMember: [{ user, role: 'Owner', overrides: [{ workspaceId: workspace.id, role: 'None' }] }],
  CreatedCredential: [{ id: identityOfKey.credential.id, credential: 'svc_sk_q8VtD0eR6uNcZ5bHxKaJw3mY' }],
  ControlCredential: [key, token],
  CredentialItem: [{ ...identityOfKey.credential, name: 'Deploy pipeline' }],
  SessionCredential: [
    { credential: 'svc_ses_eyJ3IjoiIn0.q8VtD0eR6uNcZ5bHxKaJw3mY', expiresAt: '2026-03-02T09:45:00.000Z' },
  ],
  ClockReading: [{ now: retrying.createdAt, offsetMs: 86_400_000, frozen: true }],
  ClockChanged: [{ now: '2026-03-02T10:30:00.000Z', ran: { attempts: 2, evaluations: 1 } }],
  Settled: [{ settled: true, pending: 0, inFlight: 0, nextDueAt: retryingDetail.nextAttemptAt ?? null }],
  SeenDelivery: [{ ...sentTo, status: delivered.status }],
  TriggeredEvent: [triggered],
  TriggeredEvents: [{ events: [triggered, triggeredLater] }],
  LoggedAttempt: [
    {
      number: 1,
      startedAt: delivered.createdAt,
      endedAt: '2026-03-01T09:30:00.138Z',
      request: {
        url: webhookEndpoint.url,
        headers: deliveredDetail.requestHeaders ?? {},
        body: evaluated,
        bodyText: JSON.stringify(evaluated),
      },
      response: {
        status: 200,
        headers: deliveredDetail.responseHeaders ?? {},
        body: deliveredDetail.responseBody ?? null,
      },
      responseTimeMs: 138,
      error: null,
      late: false,
    },
    {
      number: 1,
      startedAt: retrying.createdAt,
      endedAt: '2026-03-02T09:30:00.101Z',
      request: {
        url: webhookEndpoint.url,
        headers: retryingDetail.requestHeaders ?? {},
        body: evaluatedNextDay,
        bodyText: JSON.stringify(evaluatedNextDay),
      },
      response: {
        status: 503,
        headers: retryingDetail.responseHeaders ?? {},
        body: retryingDetail.responseBody ?? null,
      },
      responseTimeMs: 97,
      error: 'HTTP 503',
      late: false,
    },
  ],
  DeliveryExplanation: [
    {
      reason: 'scheduled',
      sentence: 'Attempt 2 of 11 is due at 2026-03-02T09:35:00.101Z, in 4 min. Attempt 1 failed with "HTTP 503".',
      status: 'pending',
      attempt: 1,
      attemptsLeft: 10,
      laterDelaysMs: RETRY_DELAYS_MS.slice(1),
      nextAttemptAt: retryingDetail.nextAttemptAt ?? null,
      endpoint: {
        id: webhookEndpoint.id,
        active: true,
        deleted: false,
        consecutiveFailures: 2,
        failuresUntilDisabled: 3,
      },
      clock: { now: '2026-03-02T09:31:00.101Z', frozen: true },
    },
  ],
  EventDelivery: [eventDelivery],
  DeliveryReplays: [
    { original: null, replays: [replayed] },
    { original: eventDelivery, replays: [] },
  ],
  SignedNow: [
    {
      url: webhookEndpoint.url,
      headers: signedAgain.headers,
      body: JSON.stringify(evaluated),
    },
  ],
  EndpointState: [state, disabled],
  EndpointSecret: [secret, previousSecret],
  EndpointStateDetail: [
    { ...state, secrets: [secret, previousSecret] },
    { ...disabled, secrets: [secretOfDisabled] },
  ],
  CompactDelivery: [compact],
  EndpointActivity: [{ deliveries: [compact], truncated: false }],
  InjectedFault: [
    {
      id: faultId('A'),
      target: 'api',
      match: { method: 'GET', path: '/v1/webhooks/deliveries/{deliveryId}', workspaceId: workspace.id },
      effect: { delayMs: 500, status: 503 },
      ...counts,
    },
    { id: faultId('B'), target: 'api', match: {}, effect: { reset: 'response' }, ...counts },
    { id: faultId('C'), target: 'api', match: {}, effect: { drop: true }, ...counts },
    {
      id: faultId('D'),
      target: 'delivery',
      match: { endpointId: webhookEndpoint.id, workspaceId: workspace.id, eventType: 'lifecycle.*', attempt: 1 },
      effect: { delayMs: 500, status: 503 },
      ...counts,
    },
    { id: faultId('E'), target: 'delivery', match: {}, effect: { reset: true }, ...counts },
    { id: faultId('F'), target: 'delivery', match: {}, effect: { drop: 'response' }, ...counts },
    { id: faultId('G'), target: 'delivery', match: {}, effect: { duplicate: true }, ...counts },
    { id: faultId('H'), target: 'delivery', match: {}, effect: { reorder: true }, ...counts },
  ],
  ImportProblem: [problem],
  ImportedProfiles: [{ upserted: 248, created: 6, updated: 40, unchanged: 202, rejected: 1, problems: [problem] }],
  Scores: [scores],
  Signals: [signals],
  ControlProfile: [
    {
      id: 'prf_01KGH1C6R0B0XW3VZ2BW8RM0DX',
      externalId: 'customer-1042',
      name: 'Lina Berg',
      email: 'lina.berg@customer.example',
      attributes: { plan: 'team', seats: 12 },
      firstSeenAt: '2026-02-03T06:00:00.000Z',
      lastSeenAt: '2026-02-28T17:20:00.000Z',
      activeDays: [
        '2026-02-03',
        '2026-02-10',
        '2026-02-18',
        '2026-02-19',
        '2026-02-20',
        '2026-02-21',
        '2026-02-27',
        '2026-02-28',
      ],
      state: 'at_risk',
      scores,
      signals,
      evaluatedAt: evaluated.created,
      createdAt: '2026-02-03T06:00:00.000Z',
      updatedAt: evaluated.created,
    },
  ],
  ProfileSync: [sync, failedSync],
  ControlDataSource: [
    {
      kind: 'ndjson',
      location: 'https://exports.acme.example/profiles.ndjson',
      schedule: 'PT1H',
      lastSync: sync,
      nextSyncAt: '2026-03-01T10:00:00.000Z',
    },
    {
      kind: 'ndjson',
      location: '/var/exports/profiles.ndjson',
      schedule: null,
      imported: true,
      lastSync: null,
      nextSyncAt: null,
    },
  ],
  StateTransition: [...transitions],
  // The samples are ordered as in a list, newest first.
  ControlEvaluation: [
    {
      id: 'evl_01KJMDEBR0T6W1Y8C3Z9QK2HNV',
      workspaceId: workspace.id,
      eventId: 'evt_01KJMDEBR0B7X4M9T2K6Q8W1ZC',
      trigger: 'request',
      startedAt: '2026-03-01T10:00:00.000Z',
      finishedAt: '2026-03-01T10:00:10.250Z',
      profiles: 248,
      changed: 0,
      states: { new: 6, active: 190, at_risk: 21, dormant: 19, churned: 12 },
      transitions: [],
      syncError: failedSync.error,
    },
    {
      id: 'evl_01KJMBQDE0K3V9TQ6W2Y8ZC1HN',
      workspaceId: workspace.id,
      eventId: evaluated.id,
      trigger: 'schedule',
      startedAt: '2026-03-01T09:30:00.000Z',
      finishedAt: '2026-03-01T09:30:00.000Z',
      profiles: 248,
      changed: 31,
      states: { new: 6, active: 190, at_risk: 21, dormant: 19, churned: 12 },
      transitions: [...transitions],
      syncError: null,
    },
  ],
  WorkspaceSchedule: [{ nextEvaluationAt: '2026-03-02T23:00:00.000Z', nextSyncAt: '2026-03-02T10:00:00.000Z' }],
  // Newest first, as in a list. The server applied a fault to the first of these requests.
  ControlRequest: [
    {
      id: 'req_01KJPZ7HZ4C5X9Q2T7W4Z8N3D6',
      receivedAt: '2026-03-02T09:49:20.740Z',
      method: 'GET',
      url: `/v1/webhooks/deliveries/${delivered.id}`,
      headers: { accept: 'application/json', authorization: '[redacted]' },
      status: 503,
      durationMs: 501.4,
      operation: 'retrieveWebhookDelivery',
      credentialId: identityOfKey.credential.id,
      workspaceId: workspace.id,
      faultId: faultId('A'),
      ignored: [],
      requestBody: null,
      responseBody: '{"error":{"code":"UNAVAILABLE","message":"A fault was injected."}}',
    },
    {
      id: 'req_01KJPZ60E0Z7V3N1F5X0W9TQ2D',
      receivedAt: '2026-03-02T09:48:30.016Z',
      method: 'PATCH',
      url: `/v1/webhooks/endpoints/${webhookEndpoint.id}`,
      headers: { accept: 'application/json', authorization: '[redacted]', 'content-type': 'application/json' },
      status: 200,
      durationMs: 2.6,
      operation: 'updateWebhookEndpoint',
      credentialId: identityOfKey.credential.id,
      workspaceId: workspace.id,
      faultId: null,
      ignored: ['body.activ'],
      requestBody: '{"activ":false}',
      responseBody: JSON.stringify({ endpoint: webhookEndpoint }),
    },
  ],
  ControlNotification: [
    {
      id: 'ntf_01KJZZC3V0W7N5T1Q9X2D8M4RB',
      userId: user.id,
      workspaceId: workspace.id,
      type: autoDisabled.type,
      endpointId: disabledEndpointId,
      createdAt: autoDisabled.created,
      readAt: null,
    },
    {
      id: 'ntf_01KJ7BEFX0W7N5T1Q9X2D8M4RC',
      userId: user.id,
      workspaceId: workspace.id,
      type: autoDisabled.type,
      endpointId: webhookEndpoint.id,
      createdAt: '2026-02-24T08:15:00.000Z',
      readAt: '2026-02-24T09:02:11.000Z',
    },
  ],
  ServerInfo: [
    {
      version: '1.0.0',
      profile: 'local',
      database: 'sqlite',
      roles: ['api', 'deliver', 'evaluate'],
      publicUrl: 'http://127.0.0.1:4010',
      instanceId: '01KJMBPZ0G4T8Q2W6N9X1D5R7V',
      credentials: [key, token],
    },
  ],
  SavedSnapshot: [{ name: 'before-the-upgrade', createdAt: evaluated.created }],
  FoundId: [
    { id: delivered.id, type: 'webhook_delivery', organizationId: null, workspaceId: workspace.id, parentId: null },
    {
      id: webhookSecret.id,
      type: 'webhook_secret',
      organizationId: null,
      workspaceId: workspace.id,
      parentId: webhookEndpoint.id,
    },
    {
      id: workspace.id,
      type: 'workspace',
      organizationId: organization.id,
      workspaceId: workspace.id,
      parentId: null,
    },
  ],
  StreamClock: [streamClock],
  HelloMessage: [hello],
  ChangesMessage: [changes],
  StreamMessage: [
    { event: 'hello', data: hello },
    { event: 'changed', data: { deliveries: changes.deliveries, events: 1 } },
  ],
};
