import type { EventTypeItem } from '@svc/contract';
import type { ClockState } from '../../domain/clock-state.ts';
import type { Fault } from '../../domain/fault.ts';
import type * as profiles from './profiles.ts';
import type * as tenants from './tenants.ts';
import type * as webhooks from './webhooks.ts';

export interface Database {
  organizations: tenants.OrganizationTable;
  workspaces: tenants.WorkspaceTable;
  users: tenants.UserTable;
  organization_members: tenants.OrganizationMemberTable;
  workspace_overrides: tenants.WorkspaceOverrideTable;
  credentials: tenants.CredentialTable;
  event_types: EventTypeItem;
  events: webhooks.EventTable;
  replayed_events: webhooks.ReplayedEventTable;
  webhook_endpoints: webhooks.EndpointTable;
  webhook_secrets: webhooks.SecretTable;
  deliveries: webhooks.DeliveryTable;
  delivery_ends: webhooks.EndTable;
  delivery_attempts: webhooks.AttemptTable;
  delivery_queue: webhooks.QueueTable;
  delivery_lanes: webhooks.LaneTable;
  delivery_nodes: webhooks.NodeTable;
  notifications: webhooks.NotificationTable;
  notification_emails: webhooks.NotificationEmailTable;
  profiles: profiles.ProfileTable;
  profile_states: profiles.ProfileStateTable;
  lifecycles: profiles.LifecycleTable;
  evaluations: profiles.EvaluationTable;
  settings: SettingTable;
  rate_limit_windows: RateLimitWindowTable;
  snapshots: SnapshotTable;
}

/** One part of a snapshot: some lines of an export. */
interface SnapshotTable {
  name: string;
  /** Starts at 1. */
  part: number;
  lines: string;
  /** The time on the virtual clock. */
  created_at: number;
}

/** The server uses this table only if several nodes share the count of requests. */
interface RateLimitWindowTable {
  credential_id: string;
  /** The time on the database's clock. */
  started_at: number;
  taken: number;
}

/** A setting, with its value in JSON. */
interface SettingTable {
  name: string;
  value: string;
}

export interface Settings {
  clock: ClockState;
  /** The largest difference between the time in an id and the clock. Absent if ids were never ahead of the clock. */
  idLeadMs: number;
  /** The id of the latest reset or restore. If this id changes, all data has been replaced. */
  reset: string;
  /** Absent or empty if there are no faults. */
  faults: Fault[];
  /** Derived from the master key. Shows whether the data was created with the server's master key. */
  masterKeyMark: string;
  /** Present if a server with `--random-seed` has used the data. The data's secrets can be derived from that seed. */
  usedRandomSeed: true;
}
