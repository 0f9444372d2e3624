import type {
  ControlBodyOf,
  ControlOperationName,
  ControlQueryOf,
  ControlResponseOf,
} from '../../control/operation-types.ts';
import type { FaultInput, InjectedFault } from '../../control/resources/faults.ts';
import type { ListEnvelope } from '../../resources/list.ts';
import { events, retrying } from '../examples/deliveries.ts';
import { pageTokens, pathExamples as publicPaths } from '../examples/requests.ts';
import { identityOfKey, webhookSecret, workspace } from '../examples/resources.ts';
import type { AnyParameter } from '../parameters.ts';
import { controlSamples as of } from './samples.ts';

const [autoDisabled, , , evaluated] = events;
const organizationId = first(of.OrganizationItem).id;
const workspaceId = workspace.id;
const userId = first(of.ControlUser).id;
const [, evaluation = first(of.ControlEvaluation)] = of.ControlEvaluation;
const listenSecret = webhookSecret.secret;
const location = 'https://exports.acme.example/profiles.ndjson';
const list = { limit: 2, page: pageTokens.deliveries };

export const SAMPLE_SERVER = 'http://127.0.0.1:4010';

/** Returns a page from the middle of a list. */
function pageOf<Item>(path: string, data: readonly Item[]): ListEnvelope<Item> {
  const at = (page: string) => `${SAMPLE_SERVER}/_control${path}?limit=2&page=${page}`;
  return { data: data.slice(0, 2), nextPageUrl: at(pageTokens.deliveries), previousPageUrl: at(pageTokens.events) };
}
const done = { response: [{ ok: true }] } as const;

/** Returns a resource's first sample. */
function first<Item>([item]: readonly Item[]): Item {
  if (item === undefined) throw new Error('A resource has no sample.');
  return item;
}

const toInput = ({ target, match, effect, times, probability, randomSeed }: InjectedFault): FaultInput =>
  ({ target, match, effect, times, probability, randomSeed }) as FaultInput;

/** The samples of all operations. Each field has a value in at least one sample. */
export const controlExamples: {
  readonly [Name in ControlOperationName]: (ControlQueryOf<Name> extends undefined
    ? { query?: never }
    : { query: Required<ControlQueryOf<Name>> }) &
    (ControlBodyOf<Name> extends undefined ? { body?: never } : { body: readonly ControlBodyOf<Name>[] }) & {
      response: readonly ControlResponseOf<Name>[];
    };
} = {
  reset: {
    body: [
      {
        seed: {
          organizations: [{ name: 'Acme', slug: 'acme', workspaces: [{ name: 'Production', slug: 'production' }] }],
        },
      },
    ],
    response: [{ credentials: [...of.ControlCredential] }],
  },
  readClock: { response: of.ClockReading },
  changeClock: {
    body: [{ advance: 'PT1H' }, { set: '2026-03-03T00:00:00Z' }, { freeze: true }, { resume: true }, { reset: true }],
    response: of.ClockChanged,
  },
  settle: { body: [{ timeoutMs: 30_000 }], response: of.Settled },
  wait: {
    query: {
      deliveryId: publicPaths.deliveryId,
      eventId: publicPaths.eventId,
      endpointId: publicPaths.endpointId,
      status: 'success',
      timeoutMs: 5_000,
    },
    response: [{ deliveries: [...of.SeenDelivery] }],
  },
  createEvent: {
    body: [
      { workspaceId, type: evaluated.type, subject: evaluated.subject },
      {
        events: [
          { workspaceId, type: evaluated.type, subject: evaluated.subject },
          { workspaceId, type: autoDisabled.type, subject: autoDisabled.subject },
        ],
      },
    ],
    response: [...of.TriggeredEvent, ...of.TriggeredEvents],
  },
  listDeliveriesOfEvent: { response: [{ deliveries: [...of.EventDelivery] }] },
  createOrganization: {
    body: [{ name: 'Acme', slug: 'acme', logo: 'https://cdn.acme.example/logo.png' }],
    response: [{ organization: first(of.ControlOrganization) }],
  },
  listOrganizations: { query: list, response: [pageOf('/organizations', of.OrganizationItem)] },
  createWorkspace: {
    body: [
      {
        organizationId,
        name: workspace.name,
        slug: workspace.slug,
        image: 'https://cdn.acme.example/workspaces/production.png',
        timezone: workspace.timezone,
        weekStartsOn: workspace.weekStartsOn,
      },
    ],
    response: [{ workspace: { ...workspace, updatedAt: workspace.createdAt } }],
  },
  createUser: {
    body: [{ email: 'ada@acme.example', name: 'Ada Lovelace' }],
    response: [{ user: first(of.ControlUser) }],
  },
  listUsers: { query: { ...list, q: 'ada' }, response: [pageOf('/users', of.ControlUser)] },
  listMembers: { query: list, response: [pageOf(`/organizations/${organizationId}/members`, of.OrganizationMember)] },
  setOrganizationRole: { body: [{ role: 'Admin' }, { role: null }], ...done },
  setWorkspaceOverride: { body: [{ role: 'None' }, { role: null }], ...done },
  createCredential: {
    body: [
      { kind: 'api_key', workspaceId, test: false, name: 'Deploy pipeline' },
      { kind: 'personal_access_token', userId, test: true, name: 'Laptop' },
    ],
    response: of.CreatedCredential,
  },
  listCredentials: { query: { ...list, workspaceId, userId }, response: [pageOf('/credentials', of.CredentialItem)] },
  revokeCredential: done,
  createSession: {
    body: [{ userId, baseUrl: SAMPLE_SERVER }, { workspaceId, baseUrl: SAMPLE_SERVER }, { admin: true }],
    response: of.SessionCredential,
  },
  importProfiles: {
    body: [
      [
        {
          externalId: 'customer-1042',
          name: 'Lina Berg',
          email: 'lina.berg@customer.example',
          attributes: { plan: 'team', seats: 12 },
          activeDays: ['2026-02-27', '2026-02-28'],
          firstSeenAt: '2026-02-03T06:00:00Z',
          lastSeenAt: '2026-02-28T18:20:00+01:00',
        },
      ],
    ],
    response: of.ImportedProfiles,
  },
  listProfiles: {
    query: { ...list, state: 'at_risk', q: 'lina' },
    response: [pageOf(`/workspaces/${workspaceId}/profiles`, of.ControlProfile)],
  },
  readProfile: { response: [{ profile: first(of.ControlProfile) }] },
  deleteProfile: done,
  readDataSource: { response: of.ControlDataSource.map((dataSource) => ({ dataSource })) },
  setDataSource: {
    body: [{ kind: 'push' }, { kind: 'ndjson', location, schedule: 'PT1H' }],
    response: [{ dataSource: first(of.ControlDataSource) }],
  },
  syncDataSource: { response: [{ sync: first(of.ProfileSync) }] },
  evaluate: { response: [{ evaluation: { ...evaluation, trigger: 'request' }, event: evaluated }] },
  listEvaluations: { query: list, response: [pageOf(`/workspaces/${workspaceId}/evaluations`, of.ControlEvaluation)] },
  readSchedule: { response: of.WorkspaceSchedule },
  listAttempts: { response: [{ attempts: [first(of.LoggedAttempt)] }] },
  explainDelivery: { response: [{ explanation: first(of.DeliveryExplanation) }] },
  listReplays: { response: of.DeliveryReplays },
  signDelivery: { response: of.SignedNow },
  listEndpoints: {
    query: { ...list, workspaceId },
    response: [{ data: [...of.EndpointState], nextPageUrl: null, previousPageUrl: null }],
  },
  readEndpoint: { response: [{ endpoint: first(of.EndpointStateDetail) }] },
  readListenSecret: { response: [{ secret: listenSecret }] },
  useListenSecret: { response: [{ secret: listenSecret }] },
  readActivity: { response: of.EndpointActivity },
  listNotifications: { query: { ...list, userId }, response: [pageOf('/notifications', of.ControlNotification)] },
  listRequests: {
    query: {
      ...list,
      method: 'PATCH',
      status: '2xx',
      path: '/v1/webhooks',
      workspaceId,
      credentialId: identityOfKey.credential.id,
      ignored: true,
    },
    response: [pageOf('/requests', of.ControlRequest)],
  },
  readRequest: { response: [{ request: first(of.ControlRequest) }] },
  createFault: {
    body: of.InjectedFault.map(toInput),
    response: [{ fault: { ...first(of.InjectedFault), remaining: 2, matched: 0, struck: 0 } }],
  },
  listFaults: { response: [{ faults: [...of.InjectedFault] }] },
  clearFaults: done,
  endFault: done,
  saveSnapshot: done,
  restoreSnapshot: done,
  listSnapshots: { response: [{ snapshots: [...of.SavedSnapshot] }] },
  deleteSnapshot: done,
  readInfo: { response: of.ServerInfo },
  find: { query: { id: publicPaths.deliveryId }, response: of.FoundId },
  readStream: { response: of.StreamMessage },
  exportData: { query: { stable: true }, response: [{ end: true, rows: 1_204 }] },
  readOpenApi: {
    response: [{ openapi: '3.1.0', info: { title: 'Control API of the reference server', version: '1' }, paths: {} }],
  },
  readSeedSchema: { response: [{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }] },
};

/** The response to a wait that timed out. */
export const timedOutWait: ControlResponseOf<'wait'> = {
  deliveries: [
    { id: retrying.id, endpointId: retrying.endpointId, status: retrying.status, attempt: retrying.attempt },
  ],
};

export const controlPathExamples = {
  ...publicPaths,
  organizationId,
  userId,
  credentialId: identityOfKey.credential.id,
  profileId: first(of.ControlProfile).id,
  requestId: first(of.ControlRequest).id,
  faultId: first(of.InjectedFault).id,
  name: 'before-the-upgrade',
} as const satisfies Record<AnyParameter, string>;
