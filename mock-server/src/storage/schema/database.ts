import type { Fault } from '../../domain/fault.ts';
import type { ClockState } from '../../runtime/clock.ts';
import type { EvaluationTable, LifecycleTable, ProfileStateTable, ProfileTable } from './profiles.ts';
import type {
  CredentialTable,
  OrganizationMemberTable,
  OrganizationTable,
  UserTable,
  WorkspaceOverrideTable,
  WorkspaceTable,
} from './tenants.ts';
import type {
  AttemptTable,
  DeliveryStatusTable,
  DeliveryTable,
  EndpointTable,
  EventTable,
  EventTypeTable,
  LaneTable,
  NotificationEmailTable,
  NotificationTable,
  QueueTable,
  ReplayedEventTable,
  SecretTable,
} from './webhooks.ts';

/** Every table. */
export interface Database {
  organizations: OrganizationTable;
  workspaces: WorkspaceTable;
  users: UserTable;
  organization_members: OrganizationMemberTable;
  workspace_overrides: WorkspaceOverrideTable;
  credentials: CredentialTable;
  event_types: EventTypeTable;
  events: EventTable;
  replayed_events: ReplayedEventTable;
  webhook_endpoints: EndpointTable;
  webhook_secrets: SecretTable;
  deliveries: DeliveryTable;
  delivery_statuses: DeliveryStatusTable;
  delivery_attempts: AttemptTable;
  delivery_queue: QueueTable;
  delivery_lanes: LaneTable;
  notifications: NotificationTable;
  notification_emails: NotificationEmailTable;
  profiles: ProfileTable;
  profile_states: ProfileStateTable;
  lifecycles: LifecycleTable;
  evaluations: EvaluationTable;
  settings: SettingTable;
  rate_limit_windows: RateLimitWindowTable;
  snapshots: SnapshotTable;
}

/** A part of a snapshot: some lines of an export. */
export interface SnapshotTable {
  name: string;
  /** From 1. */
  part: number;
  lines: string;
  /** When it was saved, on the virtual clock. */
  created_at: number;
}

/** The window of each credential that called. Only what several nodes share is counted here. */
export interface RateLimitWindowTable {
  credential_id: string;
  /** When the window began, on the database's clock. */
  started_at: number;
  taken: number;
}

/** What the server remembers about itself, as JSON under a name. */
export interface SettingTable {
  name: string;
  value: string;
}

/** The settings by name. */
export interface Settings {
  clock: ClockState;
  /** By how many milliseconds ids may be ahead of the clock; absent where it was never set back. */
  idLeadMs: number;
  /** Names the latest reset: it tells a server whether another one wiped the data since it last looked. */
  reset: string;
  /** Faults to be injected, with their counts; absent where there are none. */
  faults: Fault[];
  /** Derived from the master key: tells whether a key is the one that the data was made with. */
  masterKeyMark: string;
}
