import { ID_PREFIXES } from '@svc/contract';
import { isBeyondTime, ULID_PATTERN } from '../domain/id-time.ts';
import type { TransferTable } from '../storage/transfer/tables.ts';

type Table = TransferTable['name'];

/**
 * The pattern of a table's ids. A seed may choose the ids of some tables. The server generates all other ids, and reads
 * the time that they contain.
 */
const idsOf = (prefix: string, rest: string) => new RegExp(`^${prefix}${rest}$`);
const drawn = (prefix: string) => idsOf(prefix, ULID_PATTERN);
const chosen = (prefix: string) => idsOf(prefix, '[A-Za-z0-9]{1,64}');

const IDS: Partial<Record<Table, RegExp>> = {
  organizations: chosen(ID_PREFIXES.organization),
  users: chosen(ID_PREFIXES.user),
  workspaces: chosen(ID_PREFIXES.workspace),
  credentials: chosen(`(?:${ID_PREFIXES.apiKey}|${ID_PREFIXES.personalAccessToken})`),
  webhook_endpoints: chosen(ID_PREFIXES.webhookEndpoint),
  webhook_secrets: drawn(ID_PREFIXES.webhookSecret),
  events: drawn(ID_PREFIXES.event),
  replayed_events: drawn(ID_PREFIXES.event),
  deliveries: drawn(ID_PREFIXES.webhookDelivery),
  delivery_attempts: drawn(''),
  notifications: drawn(ID_PREFIXES.notification),
  profiles: chosen(ID_PREFIXES.profile),
  evaluations: drawn('evl_'),
};

/** The table whose ids a column contains. All other columns that end in `_id` contain ids that callers chose. */
const TABLE_OF: Readonly<Record<string, Table>> = {
  organization_id: 'organizations',
  user_id: 'users',
  workspace_id: 'workspaces',
  endpoint_id: 'webhook_endpoints',
  event_id: 'events',
  payload_event_id: 'events',
  original_event_id: 'events',
  delivery_id: 'deliveries',
  notification_id: 'notifications',
  profile_id: 'profiles',
  evaluation_id: 'evaluations',
  cycle_id: 'evaluations',
};

/** Whether a value in an export is wrong because it is not an id of the column's table. */
export function isWrongId(table: Table, column: string, value: string): boolean {
  const form = IDS[column === 'id' ? table : (TABLE_OF[column] ?? 'settings')];
  return form !== undefined && (!form.test(value) || isBeyondTime(value));
}
