import { CREDENTIAL_KINDS, DELIVERY_STATUSES, ROLES, WORKSPACE_OVERRIDES } from '@svc/contract';
import { INSTANT_MAX } from '../domain/instant.ts';
import { EVALUATION_TRIGGERS } from '../domain/profiles/evaluation.ts';
import { LIFECYCLE_STATES } from '../domain/profiles/state.ts';
import { isLeftOut } from '../storage/transfer/portable.ts';
import type { Column } from '../storage/transfer/table-columns.ts';
import { TRANSFER_SETTINGS, type TransferRow, type TransferTable } from '../storage/transfer/tables.ts';
import { problemOfSetting, type TransferSetting } from './check-setting.ts';

type Value = TransferRow[string];
type KnownValues = Partial<Record<TransferTable['name'], Readonly<Record<string, readonly Value[]>>>>;

const FLAG = [0, 1];

/** Columns that allow only a few values. */
const KNOWN_VALUES: KnownValues = {
  organization_members: { role: ROLES },
  workspace_overrides: { role: WORKSPACE_OVERRIDES },
  credentials: { kind: CREDENTIAL_KINDS, test: FLAG },
  webhook_endpoints: { active: FLAG },
  delivery_ends: { status: DELIVERY_STATUSES.filter((status) => status !== 'pending') },
  delivery_attempts: { late: FLAG },
  delivery_queue: { retry: FLAG },
  profile_states: { state: LIFECYCLE_STATES, previous_state: LIFECYCLE_STATES },
  lifecycles: { next_trigger: EVALUATION_TRIGGERS, cycle_trigger: EVALUATION_TRIGGERS },
  evaluations: { trigger: EVALUATION_TRIGGERS },
  settings: { name: TRANSFER_SETTINGS },
};

/** The columns of instants. A timestamp must be able to show them. */
const INSTANT = /_(?:at|until)$/;

type Json = 'object' | 'array' | 'value';

/**
 * Columns that contain JSON. The server parses this JSON only later, when it is too late to say which line was wrong.
 */
const JSON_TEXT: Partial<Record<TransferTable['name'], Readonly<Record<string, Json>>>> = {
  webhook_endpoints: { subscribed_events: 'array' },
  events: { body: 'object' },
  delivery_attempts: { request_headers: 'object', response_headers: 'object' },
  profiles: { attributes: 'object' },
  lifecycles: { source: 'object', last_sync: 'object' },
  evaluations: { states: 'object', transitions: 'array' },
  settings: { value: 'value' },
};

/** What is wrong with a row of an export, or `undefined` if it fits its table. */
export function problemOfRow(
  table: TransferTable['name'],
  columns: readonly Column[],
  row: TransferRow,
): string | undefined {
  for (const name of Object.keys(row)) {
    if (!columns.some((column) => column.name === name)) return `${table} has no column "${name}"`;
  }
  for (const { name, type, isNullable } of columns) {
    if (isLeftOut(table, name)) continue;
    const value = row[name] ?? null;
    if (value === null) {
      if (!isNullable) return `${table}.${name} is missing`;
      continue;
    }
    if (type === 'text' && typeof value !== 'string') return `${table}.${name} must be a string`;
    if (type !== 'text' && !Number.isSafeInteger(value)) return `${table}.${name} must be an integer`;
    if (INSTANT.test(name) && Math.abs(Number(value)) > INSTANT_MAX)
      return `${table}.${name} must be from -${INSTANT_MAX} to ${INSTANT_MAX}`;
    const known = KNOWN_VALUES[table]?.[name];
    if (known && !known.includes(value)) return `${table}.${name} must be one of: ${known.join(', ')}`;
    const json = JSON_TEXT[table]?.[name];
    if (json && !isJson(String(value), json)) return `${table}.${name} must be a string that contains a JSON ${json}`;
  }
  if (table === 'settings') return problemOfSetting(row['name'] as TransferSetting, String(row['value']));
  return undefined;
}

function isJson(text: string, kind: Json): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (kind === 'value') return true;
    return typeof value === 'object' && value !== null && Array.isArray(value) === (kind === 'array');
  } catch {
    return false;
  }
}
