import { CREDENTIAL_KINDS, ID_PREFIXES, PICTURE_URL_MAX_LENGTH, ROLES, WORKSPACE_OVERRIDES } from '@svc/contract';
import { pictureUrlSchema, timezoneSchema } from '@svc/contract/schemas';
import { isBeyondTime, LAST_ID_AT, ULID_PATTERN } from '../domain/id-time.ts';
import { unparsablePart } from '../domain/json-limits.ts';
import { unpackDays } from '../domain/profiles/active-days.ts';
import { isDay } from '../domain/profiles/calendar.ts';
import { isDataSource } from '../domain/profiles/data-source.ts';
import { EVALUATION_TRIGGERS } from '../domain/profiles/evaluation.ts';
import { LIFECYCLE_STATES } from '../domain/profiles/state.ts';
import { ENDED_STATUSES } from '../storage/statements/deliveries/read.ts';
import { isLeftOut } from '../storage/transfer/portable.ts';
import type { Column } from '../storage/transfer/rows.ts';
import { TRANSFER_SETTINGS, type TransferRow, type TransferTable } from '../storage/transfer/tables.ts';
import { problemOfSetting, type TransferSetting } from './check-setting.ts';

type Table = TransferTable['name'];
type Value = TransferRow[string];
type OfColumns<Known> = Partial<Record<Table, Readonly<Record<string, Known>>>>;

const FLAG = [0, 1];

const KNOWN_VALUES: OfColumns<readonly Value[]> = {
  organization_members: { role: ROLES },
  workspace_overrides: { role: WORKSPACE_OVERRIDES },
  workspaces: { week_starts_on: [0, 1, 2, 3, 4, 5, 6] },
  credentials: { kind: CREDENTIAL_KINDS, test: FLAG },
  webhook_endpoints: { active: FLAG },
  delivery_ends: { status: ENDED_STATUSES },
  delivery_attempts: { late: FLAG },
  delivery_queue: { retry: FLAG },
  profile_states: { state: LIFECYCLE_STATES, previous_state: LIFECYCLE_STATES },
  lifecycles: { next_trigger: EVALUATION_TRIGGERS, cycle_trigger: EVALUATION_TRIGGERS },
  evaluations: { trigger: EVALUATION_TRIGGERS },
  settings: { name: TRANSFER_SETTINGS },
};

const INSTANT = /_(?:at|until)$/;

/** Far below what the databases can store, so that the server can still increase an imported count. */
const COUNT_MAX = 2_000_000_000;

const isString = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const JSON_KINDS = {
  object: isObject,
  'object of strings': (value: unknown) => isObject(value) && Object.values(value).every(isString),
  array: (value: unknown) => Array.isArray(value),
  'array of strings': (value: unknown) => Array.isArray(value) && value.every(isString),
  value: () => true,
};

/** Checked here, because an error after the import could not name the invalid line. */
const JSON_TEXT: OfColumns<keyof typeof JSON_KINDS> = {
  webhook_endpoints: { subscribed_events: 'array of strings' },
  events: { body: 'object' },
  delivery_attempts: { request_headers: 'object of strings', response_headers: 'object of strings' },
  profiles: { attributes: 'object' },
  lifecycles: { source: 'object', last_sync: 'object' },
  evaluations: { states: 'object', transitions: 'array' },
  settings: { value: 'value' },
};

type Usable = [isUsable: (text: string) => boolean, form: string];

const PICTURE: Usable = [
  (text) => pictureUrlSchema.safeParse(text).success,
  `an absolute http or https URL of at most ${PICTURE_URL_MAX_LENGTH} characters`,
];

/** The server uses these texts in a calculation or a request, or the API promises their form. */
const USED_TEXT: OfColumns<Usable> = {
  organizations: { logo: PICTURE },
  workspaces: {
    image: PICTURE,
    timezone: [(text) => timezoneSchema.safeParse(text).success, 'the name of an IANA time zone'],
  },
  webhook_endpoints: { url: [(text) => /^https?:/.test(text) && URL.canParse(text), 'an http or https URL'] },
  lifecycles: { source: [(text) => isDataSource(JSON.parse(text)), 'a data source of this service'] },
  profiles: { active_days: [(text) => unpackDays(text).every(isDay), 'days such as 2031-03-01, without separators'] },
};

/** The server generates `drawn` ids, and reads the time that they contain. A seed may choose `chosen` ids. */
const drawn = (prefix: string) => new RegExp(`^${prefix}${ULID_PATTERN}$`);
const chosen = (prefix: string) => new RegExp(`^${prefix}[A-Za-z0-9]{1,64}$`);

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

/** The table whose ids a column contains. Callers choose the ids in other columns, so these may have any form. */
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

export function problemOfRow(table: Table, columns: readonly Column[], row: TransferRow): string | undefined {
  for (const name of Object.keys(row)) {
    if (!columns.some((column) => column.name === name)) return `${table} has no column "${name}"`;
  }
  for (const column of columns) {
    if (isLeftOut(table, column.name)) continue;
    const problem = problemOfValue(table, column, row[column.name] ?? null);
    if (problem) return `${table}.${column.name} ${problem}`;
  }
  if (table === 'settings') return problemOfSetting(row['name'] as TransferSetting, String(row['value']));
  const cycle = ['cycle_id', 'cycle_trigger', 'cycle_started_at'].filter((name) => row[name] != null);
  return cycle.length % 3 === 0 ? undefined : `${table} must have all columns of a cycle, not only ${cycle.join(', ')}`;
}

function problemOfValue(table: Table, { name, type, isNullable }: Column, value: Value) {
  if (value === null) return isNullable ? undefined : 'is missing';
  if (type !== 'text') {
    if (!Number.isSafeInteger(value)) return 'must be an integer';
    const max = INSTANT.test(name) ? LAST_ID_AT : COUNT_MAX;
    if (Math.abs(Number(value)) > max) return `must be from -${max} to ${max}`;
  } else if (typeof value !== 'string') return 'must be a string';
  const known = KNOWN_VALUES[table]?.[name];
  if (known && !known.includes(value)) return `must be one of: ${known.join(', ')}`;
  const json = JSON_TEXT[table]?.[name];
  const tooDeep = json && unparsablePart(Buffer.from(String(value)), Number.POSITIVE_INFINITY);
  if (tooDeep) return tooDeep;
  if (json && !isJson(String(value), json)) return `must be a string that contains a JSON ${json}`;
  const [isUsable, form] = USED_TEXT[table]?.[name] ?? [];
  if (isUsable && !isUsable(String(value))) return `must be ${form}`;
  return isWrongId(table, name, String(value)) ? 'must have the form of an id of this service' : undefined;
}

function isJson(text: string, kind: keyof typeof JSON_KINDS): boolean {
  try {
    return JSON_KINDS[kind](JSON.parse(text));
  } catch {
    return false;
  }
}

function isWrongId(table: Table, column: string, value: string): boolean {
  const form = IDS[column === 'id' ? table : (TABLE_OF[column] ?? 'settings')];
  return form !== undefined && (!form.test(value) || isBeyondTime(value));
}
