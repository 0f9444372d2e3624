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
/** `isUsable` says whether the server can use a value, or throws if it cannot. `form` describes the usable values. */
type Rule = [isUsable: (value: Value) => boolean, form: string];

const oneOf = (known: readonly Value[]): Rule => [(value) => known.includes(value), `one of: ${known.join(', ')}`];

const FLAG = oneOf([0, 1]);
const STATE = oneOf(LIFECYCLE_STATES);
const TRIGGER = oneOf(EVALUATION_TRIGGERS);

/** Checks JSON during the import, because an error after the import could not name the invalid line. */
const jsonRule = (kind: string, isKind: (value: unknown) => boolean): Rule => [
  (text) => isKind(JSON.parse(String(text))),
  `a string that contains a JSON ${kind}`,
];

const isString = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const JSON_OBJECT = jsonRule('object', isObject);
const HEADERS = jsonRule('object of strings', (value) => isObject(value) && Object.values(value).every(isString));

const PICTURE: Rule = [
  (text) => pictureUrlSchema.safeParse(text).success,
  `an absolute http or https URL of at most ${PICTURE_URL_MAX_LENGTH} characters`,
];

/** The rules for values that the server uses in a calculation or a request, or whose format the API guarantees. */
const RULES: Partial<Record<Table, Readonly<Record<string, Rule>>>> = {
  organizations: { logo: PICTURE },
  organization_members: { role: oneOf(ROLES) },
  workspace_overrides: { role: oneOf(WORKSPACE_OVERRIDES) },
  workspaces: {
    image: PICTURE,
    timezone: [(text) => timezoneSchema.safeParse(text).success, 'the name of an IANA time zone'],
    week_starts_on: oneOf([0, 1, 2, 3, 4, 5, 6]),
  },
  credentials: { kind: oneOf(CREDENTIAL_KINDS), test: FLAG },
  webhook_endpoints: {
    url: [(text) => /^https?:/.test(String(text)) && URL.canParse(String(text)), 'an http or https URL'],
    active: FLAG,
    subscribed_events: jsonRule('array of strings', (value) => Array.isArray(value) && value.every(isString)),
  },
  events: { body: JSON_OBJECT },
  delivery_ends: { status: oneOf(ENDED_STATUSES) },
  delivery_attempts: { late: FLAG, request_headers: HEADERS, response_headers: HEADERS },
  delivery_queue: { retry: FLAG },
  profiles: {
    active_days: [(text) => unpackDays(String(text)).every(isDay), 'days such as 2031-03-01, without separators'],
    attributes: JSON_OBJECT,
  },
  profile_states: { state: STATE, previous_state: STATE },
  lifecycles: {
    source: [(text) => isDataSource(JSON.parse(String(text))), 'a data source of this service'],
    last_sync: JSON_OBJECT,
    next_trigger: TRIGGER,
    cycle_trigger: TRIGGER,
  },
  evaluations: { trigger: TRIGGER, states: JSON_OBJECT, transitions: jsonRule('array', Array.isArray) },
  settings: { name: oneOf(TRANSFER_SETTINGS), value: jsonRule('value', () => true) },
};

const INSTANT = /_(?:at|until)$/;

/** The highest count in an import. The databases can store far higher counts, so an imported count can still grow. */
const COUNT_MAX = 2_000_000_000;

/** The server generates `drawn` ids, and reads the time that they contain. A seed may set `chosen` ids. */
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

/** The table whose ids a column contains. Callers choose the ids in other columns, so these ids may have any form. */
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
  const rule = RULES[table]?.[name];
  if (rule) {
    const tooDeep = unparsablePart(Buffer.from(String(value)), Number.POSITIVE_INFINITY);
    if (tooDeep) return tooDeep;
    if (!isMet(rule, value)) return `must be ${rule[1]}`;
  }
  return isWrongId(table, name, String(value)) ? 'must have the form of an id of this service' : undefined;
}

function isMet([isUsable]: Rule, value: Value): boolean {
  try {
    return isUsable(value);
  } catch {
    return false;
  }
}

function isWrongId(table: Table, column: string, value: string): boolean {
  const form = IDS[column === 'id' ? table : (TABLE_OF[column] ?? 'settings')];
  return form !== undefined && (!form.test(value) || isBeyondTime(value));
}
