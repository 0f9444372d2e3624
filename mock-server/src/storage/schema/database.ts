import type { ClockState } from '../../domain/clock-state.ts';
import type { Fault } from '../../domain/fault.ts';
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
  DeliveryTable,
  EndpointTable,
  EndTable,
  EventTable,
  EventTypeTable,
  LaneTable,
  NodeTable,
  NotificationEmailTable,
  NotificationTable,
  QueueTable,
  ReplayedEventTable,
  SecretTable,
} from './webhooks.ts';

/** All tables. */
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
  delivery_ends: EndTable;
  delivery_attempts: AttemptTable;
  delivery_queue: QueueTable;
  delivery_lanes: LaneTable;
  delivery_nodes: NodeTable;
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
  /** Starts at 1. */
  part: number;
  lines: string;
  /** When it was saved, on the virtual clock. */
  created_at: number;
}

/** The window of each credential that has called. Used only when several nodes share the count. */
export interface RateLimitWindowTable {
  credential_id: string;
  /** When the window began, on the database's clock. */
  started_at: number;
  taken: number;
}

/** The server's own records, as JSON by name. */
export interface SettingTable {
  name: string;
  value: string;
}

/** The settings by name. */
export interface Settings {
  clock: ClockState;
  /** How many milliseconds ids may be ahead of the clock. Absent if the clock was never set back. */
  idLeadMs: number;
  /** Identifies the latest reset. A server compares it to notice that another one has wiped the data. */
  reset: string;
  /** Faults to inject, with their counts. Absent if there are none. */
  faults: Fault[];
  /** Derived from the master key. Shows whether the data was made with a given key. */
  masterKeyMark: string;
  /** Present if a server with `--random-seed` has used the data, so its secrets may be derivable from the seed. */
  usedRandomSeed: true;
}
