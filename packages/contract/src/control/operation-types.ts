import type { PathParameters } from '../derived-types.ts';
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
import type { StreamMessage } from './resources/stream.ts';
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

/** The response of a call that returns no data. */
interface Done {
  /** Always true. */
  ok: true;
}

/**
 * The query, the body and the response of each operation of the control API. This file is long because it is one table.
 * The docstrings in the table are the descriptions in the OpenAPI document.
 */
export interface ControlTypes {
  reset: {
    body: ResetInput;
    /** The credentials that the seed created. */
    response: {
      /** The credentials of the seed, in plain text. */
      credentials: ControlCredential[];
    };
  };
  readClock: { response: ClockReading };
  changeClock: { body: ClockChange; response: ClockChanged };
  settle: { body: SettleInput; response: Settled };
  wait: {
    query: WaitInput;
    /** The deliveries, which now have the requested status. */
    response: {
      /** The deliveries with their current status. */
      deliveries: SeenDelivery[];
    };
  };
  createEvent: {
    /** One event, or several events. */
    body: NewEventInput | NewEventsInput;
    /** The event with its deliveries, or a list of such events. */
    response: TriggeredEvent | TriggeredEvents;
  };
  listDeliveriesOfEvent: {
    /** The deliveries of the event. */
    response: {
      /** One delivery for each endpoint that subscribed to the event's type. A ping has one delivery. */
      deliveries: EventDelivery[];
    };
  };
  createOrganization: {
    body: CreateOrganizationInput;
    /** The new organization. */
    response: {
      /** The new organization. */
      organization: ControlOrganization;
    };
  };
  listOrganizations: {
    query: ListQuery;
    /** A page of organizations with their workspaces. */
    response: ListEnvelope<OrganizationItem>;
  };
  createWorkspace: {
    body: CreateWorkspaceInput;
    /** The new workspace. */
    response: {
      /** The new workspace. */
      workspace: Workspace;
    };
  };
  createUser: {
    body: CreateUserInput;
    /** The new user. */
    response: {
      /** The new user. */
      user: ControlUser;
    };
  };
  listUsers: {
    query: ListQuery & {
      /** Lists only users whose email address begins with this string. */
      q?: string | undefined;
    };
    /** A page of users. */
    response: ListEnvelope<ControlUser>;
  };
  listMembers: {
    query: ListQuery;
    /** A page of members with their roles. */
    response: ListEnvelope<OrganizationMember>;
  };
  setOrganizationRole: {
    body: OrganizationRoleInput;
    /** Confirms that the role was set, or that the membership was ended. */
    response: Done;
  };
  setWorkspaceOverride: {
    body: WorkspaceOverrideInput;
    /** Confirms that the override was set or removed. */
    response: Done;
  };
  createCredential: { body: CreateCredentialInput; response: CreatedCredential };
  listCredentials: {
    query: ListQuery & CredentialOwner;
    /** A page of API keys or personal access tokens. The items do not contain the plain text of the credentials. */
    response: ListEnvelope<CredentialItem>;
  };
  revokeCredential: {
    /** The credential is revoked. */
    response: Done;
  };
  createSession: { body: CreateSessionInput; response: SessionCredential };
  importProfiles: {
    /** The profiles, as a JSON array or as NDJSON. Unknown fields of a profile are ignored. */
    body: ProfileInput[];
    response: ImportedProfiles;
  };
  listProfiles: {
    query: ListQuery & ProfileFilters;
    /** A page of profiles. */
    response: ListEnvelope<ControlProfile>;
  };
  readProfile: {
    /** The profile. */
    response: {
      /** The profile. */
      profile: ControlProfile;
    };
  };
  deleteProfile: {
    /** The profile is deleted. */
    response: Done;
  };
  readDataSource: {
    /** The data source, with the result of its latest sync. */
    response: {
      /** The data source. */
      dataSource: ControlDataSource;
    };
  };
  setDataSource: {
    body: DataSourceInput;
    /** The data source after the change. */
    response: {
      /** The data source after the change. */
      dataSource: ControlDataSource;
    };
  };
  syncDataSource: {
    /** The result of the sync, with the number of imported lines. */
    response: {
      /** The result of the sync. */
      sync: ProfileSync;
    };
  };
  evaluate: {
    /** The finished evaluation, and its event. */
    response: {
      /** The finished evaluation cycle. */
      evaluation: ControlEvaluation;
      /** The event that reports the evaluation. */
      event: Event;
    };
  };
  listEvaluations: {
    query: ListQuery;
    /** A page of evaluations. */
    response: ListEnvelope<ControlEvaluation>;
  };
  readSchedule: { response: WorkspaceSchedule };
  listAttempts: {
    /** All attempts, oldest first. */
    response: {
      /** All attempts, oldest first. */
      attempts: LoggedAttempt[];
    };
  };
  explainDelivery: {
    /** An explanation of the delivery's state and of what happens next. */
    response: {
      /** An explanation of the delivery's state and of what happens next. */
      explanation: DeliveryExplanation;
    };
  };
  listReplays: { response: DeliveryReplays };
  signDelivery: { response: SignedNow };
  listEndpoints: {
    query: ListQuery & {
      /** Lists the endpoints of this workspace. */
      workspaceId: string;
    };
    /** The health of each endpoint of the workspace. */
    response: ListEnvelope<EndpointState>;
  };
  readEndpoint: {
    /** The health of the endpoint. */
    response: {
      /** The endpoint. */
      endpoint: EndpointStateDetail;
    };
  };
  readListenSecret: {
    /** The workspace's secret for `svc-mock listen`. */
    response: {
      /** The signing secret. */
      secret: string;
    };
  };
  useListenSecret: {
    /** The secret that signs the endpoint's deliveries from now on. */
    response: {
      /** The signing secret. */
      secret: string;
    };
  };
  readActivity: { response: EndpointActivity };
  listNotifications: {
    query: ListQuery & {
      /** Lists only notifications to this user. */
      userId?: string | undefined;
    };
    /** A page of notifications. */
    response: ListEnvelope<ControlNotification>;
  };
  listRequests: {
    query: ListQuery & RequestFilters;
    /** A page of requests. */
    response: ListEnvelope<ControlRequest>;
  };
  readRequest: {
    /** The request and its response. */
    response: {
      /** The request. */
      request: ControlRequest;
    };
  };
  createFault: {
    body: FaultInput;
    /** The new fault. */
    response: {
      /** The new fault. */
      fault: InjectedFault;
    };
  };
  listFaults: {
    /** All faults, including those that are used up. */
    response: {
      /** The faults, in the order in which the server checks them. */
      faults: InjectedFault[];
    };
  };
  clearFaults: {
    /** All faults are removed. */
    response: Done;
  };
  endFault: {
    /** The fault is removed. */
    response: Done;
  };
  saveSnapshot: {
    /** The snapshot is saved. */
    response: Done;
  };
  restoreSnapshot: {
    /** The snapshot is restored. */
    response: Done;
  };
  listSnapshots: {
    /** The snapshots. */
    response: {
      /** All snapshots, ordered by name. */
      snapshots: SavedSnapshot[];
    };
  };
  deleteSnapshot: {
    /** The snapshot is deleted. */
    response: Done;
  };
  readInfo: { response: ServerInfo };
  find: {
    query: {
      /** The id to find. */
      id: string;
    };
    response: FoundId;
  };
  readStream: {
    /** One message of the stream. In the stream, `event` and `data` are two lines, and the value of `data` is JSON. */
    response: StreamMessage;
  };
  exportData: {
    query: {
      /**
       * If true, the export leaves out values that differ in every run, such as times of the real clock and signatures.
       */
      stable?: boolean | undefined;
    };
    /** One line of the export. The last line contains `end` and the number of rows in the export. */
    response: Record<string, unknown>;
  };
  readSeedSchema: {
    /** The JSON Schema of seed files. */
    response: Record<string, unknown>;
  };
  readOpenApi: {
    /** The OpenAPI 3.1 document of the control API. */
    response: Record<string, unknown>;
  };
}

type Table = typeof controlOperations;

/** The names of the control API's operations. */
export type ControlOperationName = keyof Table;

/** The parameters in an operation's path. */
export type ControlParams<Name extends ControlOperationName> = Record<PathParameters<Table[Name]['path']>, string>;

/** The name of a parameter in the path of any operation. */
export type ControlParameterName = PathParameters<Table[ControlOperationName]['path']>;

/** The query of an operation, or `undefined` if the operation has no query. */
export type ControlQueryOf<Name extends ControlOperationName> = ControlTypes[Name] extends { query: infer Query }
  ? Query
  : undefined;

/** The body of an operation, or `undefined` if the operation has no body. */
export type ControlBodyOf<Name extends ControlOperationName> = ControlTypes[Name] extends { body: infer Body }
  ? Body
  : undefined;

/**
 * The response of an operation on success. For the stream, the type describes one message. For the export, the type
 * describes one line.
 */
export type ControlResponseOf<Name extends ControlOperationName> = ControlTypes[Name]['response'];

type Named<Method extends string, Path extends string> = {
  [Name in ControlOperationName]: Table[Name] extends { method: Method; path: `/_control${Path}` } ? Name : never;
}[ControlOperationName];

/** The methods of the control API. */
export type ControlMethod = Table[ControlOperationName]['method'];

/** The paths of the operations with this method, without the prefix `/_control`. */
export type ControlPath<Method extends ControlMethod> = {
  [Name in ControlOperationName]: Table[Name] extends { method: Method; path: `/_control${infer Path}` } ? Path : never;
}[ControlOperationName];

/** The name of the operation with this method and this path. The path does not contain the prefix `/_control`. */
export type ControlNameOf<Method extends ControlMethod, Path extends ControlPath<Method>> = Named<Method, Path>;
