import type { PathParameters } from '../operation-types.ts';
import type { Event } from '../resources/event.ts';
import type { ListEnvelope, ListQuery } from '../resources/list.ts';
import type { Workspace } from '../resources/workspace.ts';
import type { controlOperations } from './operations.ts';
import type {
  ControlCredential,
  CreateCredentialInput,
  CreatedCredential,
  CreateSessionInput,
  CredentialItem,
  CredentialOwner,
  SessionCredential,
} from './resources/credentials.ts';
import type {
  DeliveryExplanation,
  DeliveryReplays,
  EventDelivery,
  LoggedAttempt,
  SignedNow,
} from './resources/deliveries.ts';
import type { EndpointActivity, EndpointState, EndpointStateDetail } from './resources/endpoints.ts';
import type { NewEventInput, NewEventsInput, TriggeredEvent, TriggeredEvents } from './resources/events.ts';
import type { FaultInput, InjectedFault } from './resources/faults.ts';
import type {
  ControlDataSource,
  ControlEvaluation,
  ControlProfile,
  DataSourceInput,
  ImportedProfiles,
  ProfileFilters,
  ProfileInput,
  ProfileSync,
  WorkspaceSchedule,
} from './resources/lifecycle.ts';
import type { ControlNotification, ControlRequest, RequestFilters } from './resources/requests.ts';
import type { FoundId, ResetInput, SavedSnapshot, ServerInfo } from './resources/server.ts';
import type {
  ControlOrganization,
  ControlUser,
  CreateOrganizationInput,
  CreateUserInput,
  CreateWorkspaceInput,
  OrganizationItem,
  OrganizationMember,
  OrganizationRoleInput,
  WorkspaceOverrideInput,
} from './resources/tenants.ts';
import type {
  ClockChange,
  ClockChanged,
  ClockReading,
  SeenDelivery,
  Settled,
  SettleInput,
  WaitInput,
} from './resources/time.ts';

/** The answer of a call that returns nothing else. */
interface Done {
  /** Always true. */
  ok: true;
}

/** The query, the body and the answer of each operation of the control API. */
export interface ControlTypes {
  reset: {
    body: ResetInput;
    answer: {
      /** The credentials of the seed, in plain text. */
      credentials: ControlCredential[];
    };
  };
  readClock: { answer: ClockReading };
  changeClock: { body: ClockChange; answer: ClockChanged };
  settle: { body: SettleInput; answer: Settled };
  wait: {
    query: WaitInput;
    answer: {
      /** The deliveries and what they are now. */
      deliveries: SeenDelivery[];
    };
  };
  createEvent: { body: NewEventInput | NewEventsInput; answer: TriggeredEvent | TriggeredEvents };
  listDeliveriesOfEvent: {
    answer: {
      /** One for each endpoint that subscribed to it. */
      deliveries: EventDelivery[];
    };
  };
  createOrganization: {
    body: CreateOrganizationInput;
    answer: {
      /** The new organization. */
      organization: ControlOrganization;
    };
  };
  listOrganizations: { query: ListQuery; answer: ListEnvelope<OrganizationItem> };
  createWorkspace: {
    body: CreateWorkspaceInput;
    answer: {
      /** The new workspace. */
      workspace: Workspace;
    };
  };
  createUser: {
    body: CreateUserInput;
    answer: {
      /** The new user. */
      user: ControlUser;
    };
  };
  listUsers: {
    query: ListQuery & {
      /** The beginning of the email address. */
      q?: string | undefined;
    };
    answer: ListEnvelope<ControlUser>;
  };
  listMembers: { query: ListQuery; answer: ListEnvelope<OrganizationMember> };
  setOrganizationRole: { body: OrganizationRoleInput; answer: Done };
  setWorkspaceOverride: { body: WorkspaceOverrideInput; answer: Done };
  createCredential: { body: CreateCredentialInput; answer: CreatedCredential };
  listCredentials: { query: ListQuery & CredentialOwner; answer: ListEnvelope<CredentialItem> };
  revokeCredential: { answer: Done };
  createSession: { body: CreateSessionInput; answer: SessionCredential };
  importProfiles: { body: ProfileInput[]; answer: ImportedProfiles };
  listProfiles: { query: ListQuery & ProfileFilters; answer: ListEnvelope<ControlProfile> };
  readProfile: {
    answer: {
      /** The profile. */
      profile: ControlProfile;
    };
  };
  deleteProfile: { answer: Done };
  readDataSource: {
    answer: {
      /** The data source. */
      dataSource: ControlDataSource;
    };
  };
  setDataSource: {
    body: DataSourceInput;
    answer: {
      /** The data source after the change. */
      dataSource: ControlDataSource;
    };
  };
  syncDataSource: {
    answer: {
      /** The result of the read. */
      sync: ProfileSync;
    };
  };
  evaluate: {
    answer: {
      /** The finished cycle. */
      evaluation: ControlEvaluation;
      /** The event that reports it. */
      event: Event;
    };
  };
  listEvaluations: { query: ListQuery; answer: ListEnvelope<ControlEvaluation> };
  readSchedule: { answer: WorkspaceSchedule };
  listAttempts: {
    answer: {
      /** Every attempt, the first one first. */
      attempts: LoggedAttempt[];
    };
  };
  explainDelivery: {
    answer: {
      /** The state of the delivery, and what comes next. */
      explanation: DeliveryExplanation;
    };
  };
  listReplays: { answer: DeliveryReplays };
  signDelivery: { answer: SignedNow };
  listEndpoints: {
    query: ListQuery & {
      /** The workspace whose endpoints to list. */
      workspaceId: string;
    };
    answer: ListEnvelope<EndpointState>;
  };
  readEndpoint: {
    answer: {
      /** The endpoint. */
      endpoint: EndpointStateDetail;
    };
  };
  readListenSecret: {
    answer: {
      /** The signing secret. */
      secret: string;
    };
  };
  useListenSecret: {
    answer: {
      /** The signing secret. */
      secret: string;
    };
  };
  readActivity: { answer: EndpointActivity };
  listNotifications: {
    query: ListQuery & {
      /** Only notifications to this user. */
      userId?: string | undefined;
    };
    answer: ListEnvelope<ControlNotification>;
  };
  listRequests: { query: ListQuery & RequestFilters; answer: ListEnvelope<ControlRequest> };
  readRequest: {
    answer: {
      /** The request. */
      request: ControlRequest;
    };
  };
  createFault: {
    body: FaultInput;
    answer: {
      /** The new fault. */
      fault: InjectedFault;
    };
  };
  listFaults: {
    answer: {
      /** In the order in which the server checks them. */
      faults: InjectedFault[];
    };
  };
  clearFaults: { answer: Done };
  endFault: { answer: Done };
  saveSnapshot: { answer: Done };
  restoreSnapshot: { answer: Done };
  listSnapshots: {
    answer: {
      /** Every snapshot, by name. */
      snapshots: SavedSnapshot[];
    };
  };
  deleteSnapshot: { answer: Done };
  readInfo: { answer: ServerInfo };
  find: {
    query: {
      /** The id. */
      id: string;
    };
    answer: FoundId;
  };
  readStream: { answer: string };
  exportData: {
    query: {
      /** Whether to leave out what the real clock measured. */
      stable?: boolean | undefined;
    };
    answer: Record<string, unknown>;
  };
  readSeedSchema: { answer: Record<string, unknown> };
}

type Table = typeof controlOperations;

/** The names of the control API's operations. */
export type ControlOperationName = keyof Table;

/** The parameters in an operation's path. */
export type ControlParams<Name extends ControlOperationName> = Record<PathParameters<Table[Name]['path']>, string>;

/** The query of an operation, or `undefined` if it has none. */
export type ControlQueryOf<Name extends ControlOperationName> = ControlTypes[Name] extends { query: infer Query }
  ? Query
  : undefined;

/** The body of an operation, or `undefined` if it has none. */
export type ControlBodyOf<Name extends ControlOperationName> = ControlTypes[Name] extends { body: infer Body }
  ? Body
  : undefined;

/** The answer of an operation on success: of a stream or a file, one line or message. */
export type ControlAnswerOf<Name extends ControlOperationName> = ControlTypes[Name]['answer'];

type Named<Method extends string, Path extends string> = {
  [Name in ControlOperationName]: Table[Name] extends { method: Method; path: `/_control${Path}` } ? Name : never;
}[ControlOperationName];

/** The methods of the control API. */
export type ControlMethod = Table[ControlOperationName]['method'];

/** The paths that have a method, below `/_control`. */
export type ControlPath<Method extends ControlMethod> = {
  [Name in ControlOperationName]: Table[Name] extends { method: Method; path: `/_control${infer Path}` } ? Path : never;
}[ControlOperationName];

/** The operation of a method and a path below `/_control`. */
export type ControlNameOf<Method extends ControlMethod, Path extends ControlPath<Method>> = Named<Method, Path>;
