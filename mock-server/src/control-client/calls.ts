import type { Event, Role, Workspace } from '@svc/contract';
import type {
  CredentialItem,
  DeliveryReplays,
  EndpointActivity,
  EndpointState,
  EndpointStateDetail,
  EventDelivery,
  FoundId,
  OrganizationItem,
  OrganizationMember,
  ServerInfo,
  SessionCredential,
  SignedNow,
  UserItem,
} from '../control/index.ts';
import type { Sync } from '../domain/profiles/data-source.ts';
import type { Evaluation } from '../domain/profiles/evaluation.ts';
import type { ImportResult } from '../domain/profiles/import-result.ts';
import type { LifecycleState } from '../domain/profiles/state.ts';
import type { ControlDataSource, ControlProfile, DataSourceInput, ProfileInput } from './lifecycle-types.ts';
import type {
  ClockChange,
  ClockChanged,
  ClockReading,
  ControlCredential,
  ControlNotification,
  ControlOrganization,
  ControlPage,
  ControlRequest,
  ControlUser,
  CreateCredentialInput,
  CreateOrganizationInput,
  CreateSessionInput,
  CreateWorkspaceInput,
  DeliveryExplanation,
  FaultInput,
  InjectedFault,
  LoggedAttempt,
  NewEventInput,
  PageInput,
  RequestFilters,
  SeenDelivery,
  Settled,
  TriggeredEvent,
  WaitInput,
  WorkspaceOverride,
} from './types.ts';

/** One call of the control API. `Input` combines its path parameters, its query and its body in one object. */
export interface ControlCall<Input, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path parameters are in braces and have the same names in the input. */
  readonly path: string;
  /** The input's field that is the whole body. Default: the body is the rest of the input. */
  readonly body?: string | undefined;
  /** For types only. Never set. */
  readonly types?: { input: Input; answer: Answer };
}

const call = <Input, Answer>(
  method: ControlCall<Input, Answer>['method'],
  path: string,
  body?: keyof Input & string,
): ControlCall<Input, Answer> => ({
  method,
  path: `/_control${path}`,
  body,
});

type Nothing = Record<never, never>;
interface Done {
  ok: true;
}

/**
 * Every call of the control API by name. The typed client, the CLI and `/testing` all use this table. A test compares
 * it with the server's own operations.
 */
export const controlCalls = {
  reset: call<{ seed?: unknown }, { credentials: ControlCredential[] }>('POST', '/reset'),

  readClock: call<Nothing, ClockReading>('GET', '/clock'),
  changeClock: call<ClockChange, ClockChanged>('POST', '/clock'),
  settle: call<{ timeoutMs?: number | undefined }, Settled>('POST', '/settle'),

  createEvent: call<NewEventInput, TriggeredEvent>('POST', '/events'),
  createEvents: call<{ events: NewEventInput[] }, { events: TriggeredEvent[] }>('POST', '/events'),

  createOrganization: call<CreateOrganizationInput, { organization: ControlOrganization }>('POST', '/organizations'),
  createWorkspace: call<CreateWorkspaceInput, { workspace: Workspace }>('POST', '/workspaces'),
  createUser: call<{ email: string; name: string }, { user: ControlUser }>('POST', '/users'),
  setOrganizationRole: call<{ organizationId: string; userId: string; role: Role | null }, Done>(
    'PUT',
    '/organizations/{organizationId}/members/{userId}',
  ),
  setWorkspaceOverride: call<{ workspaceId: string; userId: string; role: WorkspaceOverride | null }, Done>(
    'PUT',
    '/workspaces/{workspaceId}/members/{userId}',
  ),
  createCredential: call<CreateCredentialInput, { id: string; credential: string }>('POST', '/credentials'),
  revokeCredential: call<{ credentialId: string }, Done>('DELETE', '/credentials/{credentialId}'),

  importProfiles: call<{ workspaceId: string; profiles: ProfileInput[] }, ImportResult>(
    'PUT',
    '/workspaces/{workspaceId}/profiles',
    'profiles',
  ),
  listProfiles: call<
    PageInput & { workspaceId: string; state?: LifecycleState | undefined; q?: string | undefined },
    ControlPage<ControlProfile>
  >('GET', '/workspaces/{workspaceId}/profiles'),
  readProfile: call<{ workspaceId: string; profileId: string }, { profile: ControlProfile }>(
    'GET',
    '/workspaces/{workspaceId}/profiles/{profileId}',
  ),
  deleteProfile: call<{ workspaceId: string; profileId: string }, Done>(
    'DELETE',
    '/workspaces/{workspaceId}/profiles/{profileId}',
  ),
  readDataSource: call<{ workspaceId: string }, { dataSource: ControlDataSource }>(
    'GET',
    '/workspaces/{workspaceId}/data-source',
  ),
  setDataSource: call<{ workspaceId: string } & DataSourceInput, { dataSource: ControlDataSource }>(
    'PUT',
    '/workspaces/{workspaceId}/data-source',
  ),
  syncDataSource: call<{ workspaceId: string }, { sync: Sync }>('POST', '/workspaces/{workspaceId}/data-source/sync'),
  evaluate: call<{ workspaceId: string }, { evaluation: Evaluation; event: Event }>(
    'POST',
    '/workspaces/{workspaceId}/evaluate',
  ),
  listEvaluations: call<PageInput & { workspaceId: string }, ControlPage<Evaluation>>(
    'GET',
    '/workspaces/{workspaceId}/evaluations',
  ),
  readSchedule: call<{ workspaceId: string }, { nextEvaluationAt: string | null; nextSyncAt: string | null }>(
    'GET',
    '/workspaces/{workspaceId}/schedule',
  ),

  listAttempts: call<{ deliveryId: string }, { attempts: LoggedAttempt[] }>('GET', '/deliveries/{deliveryId}/attempts'),
  explainDelivery: call<{ deliveryId: string }, { explanation: DeliveryExplanation }>(
    'GET',
    '/deliveries/{deliveryId}/explanation',
  ),
  wait: call<WaitInput, { deliveries: SeenDelivery[] }>('GET', '/wait'),

  listNotifications: call<PageInput & { userId?: string | undefined }, ControlPage<ControlNotification>>(
    'GET',
    '/notifications',
  ),
  listRequests: call<PageInput & RequestFilters, ControlPage<ControlRequest>>('GET', '/requests'),
  readRequest: call<{ requestId: string }, { request: ControlRequest }>('GET', '/requests/{requestId}'),

  createFault: call<FaultInput, { fault: InjectedFault }>('POST', '/faults'),
  listFaults: call<Nothing, { faults: InjectedFault[] }>('GET', '/faults'),
  saveSnapshot: call<{ name: string }, Done>('POST', '/snapshots/{name}'),
  restoreSnapshot: call<{ name: string }, Done>('POST', '/snapshots/{name}/restore'),
  listSnapshots: call<Nothing, { snapshots: { name: string; createdAt: string }[] }>('GET', '/snapshots'),
  deleteSnapshot: call<{ name: string }, Done>('DELETE', '/snapshots/{name}'),

  clearFaults: call<Nothing, Done>('DELETE', '/faults'),
  endFault: call<{ faultId: string }, Done>('DELETE', '/faults/{faultId}'),

  readInfo: call<Nothing, ServerInfo>('GET', '/info'),
  createSession: call<CreateSessionInput, SessionCredential>('POST', '/sessions'),
  listOrganizations: call<PageInput, ControlPage<OrganizationItem>>('GET', '/organizations'),
  listMembers: call<PageInput & { organizationId: string }, ControlPage<OrganizationMember>>(
    'GET',
    '/organizations/{organizationId}/members',
  ),
  listUsers: call<PageInput & { q?: string | undefined }, ControlPage<UserItem>>('GET', '/users'),
  listCredentials: call<
    PageInput & { workspaceId?: string | undefined; userId?: string | undefined },
    ControlPage<CredentialItem>
  >('GET', '/credentials'),
  listEndpoints: call<PageInput & { workspaceId: string }, ControlPage<EndpointState>>('GET', '/endpoints'),
  readEndpoint: call<{ endpointId: string }, { endpoint: EndpointStateDetail }>('GET', '/endpoints/{endpointId}'),
  readActivity: call<{ endpointId: string }, EndpointActivity>('GET', '/endpoints/{endpointId}/activity'),
  listDeliveriesOfEvent: call<{ eventId: string }, { deliveries: EventDelivery[] }>(
    'GET',
    '/events/{eventId}/deliveries',
  ),
  listReplays: call<{ deliveryId: string }, DeliveryReplays>('GET', '/deliveries/{deliveryId}/replays'),
  signDelivery: call<{ deliveryId: string }, SignedNow>('POST', '/deliveries/{deliveryId}/signature'),
  find: call<{ id: string }, FoundId>('GET', '/find'),
} as const;
