import type { Database, Settings } from '../schema/database.ts';

export type TransferRow = Record<string, string | number | null>;

/** A table that an export contains. In the export, the table's rows are sorted by the columns in `key`. */
export interface TransferTable {
  name: keyof Database;
  key: readonly string[];
}

/** The key of each table, with parent tables before child tables. Null for tables that an export does not contain. */
const KEYS: Readonly<Record<keyof Database, readonly string[] | null>> = {
  organizations: ['id'],
  users: ['id'],
  workspaces: ['id'],
  organization_members: ['organization_id', 'user_id'],
  workspace_overrides: ['workspace_id', 'user_id'],
  credentials: ['id'],
  event_types: ['type'],
  webhook_endpoints: ['id'],
  webhook_secrets: ['id'],
  events: ['id'],
  replayed_events: ['id'],
  deliveries: ['id'],
  delivery_ends: ['workspace_id', 'status', 'delivery_id'],
  delivery_attempts: ['delivery_id', 'id'],
  delivery_queue: ['endpoint_id', 'retry', 'due_at', 'delivery_id'],
  notifications: ['id'],
  notification_emails: ['notification_id'],
  profiles: ['id'],
  profile_states: ['workspace_id', 'profile_id'],
  lifecycles: ['workspace_id'],
  evaluations: ['id'],
  settings: ['name'],
  // The rows in the next three tables are valid only while the servers run. An import creates the lanes from the queue.
  delivery_nodes: null,
  delivery_lanes: null,
  rate_limit_windows: null,
  // An export does not contain the snapshots, because a snapshot is itself an export.
  snapshots: null,
};

export const TABLES = Object.keys(KEYS) as (keyof Database)[];

export const TRANSFER_TABLES: readonly TransferTable[] = Object.entries(KEYS).flatMap(([name, key]) =>
  key === null ? [] : [{ name: name as keyof Database, key }],
);

/** The settings that belong to the data. Other settings belong to a server or are in the header of an export. */
export const TRANSFER_SETTINGS = [
  'clock',
  'faults',
  'idLeadMs',
  'usedRandomSeed',
] as const satisfies readonly (keyof Settings)[];
