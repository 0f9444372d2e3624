import { indexedWords, SEARCHED_FIELDS } from '../../domain/search.ts';
import { SEARCHED_COLUMNS } from '../schema/profiles.ts';
import type { TransferRow, TransferTable } from './tables.ts';

/** Removes leases, SQLite's row numbers, and search words, which each database stores differently. */
export function portable(table: TransferTable['name'], row: TransferRow): TransferRow {
  switch (table) {
    case 'profiles':
      return Object.fromEntries(Object.entries(row).filter(([column]) => !isLeftOut(table, column)));
    case 'lifecycles':
    case 'notification_emails':
      return { ...row, lease_token: 0, lease_until: null };
    default:
      return row;
  }
}

export const isLeftOut = (table: TransferTable['name'], column: string): boolean =>
  table === 'profiles' && (column === 'seq' || column === 'words');

export function restored(table: TransferTable['name'], row: TransferRow): TransferRow {
  if (table !== 'profiles') return row;
  const text = (value: TransferRow[string] | undefined) => (value == null ? null : String(value));
  const texts = SEARCHED_FIELDS.map((field) => text(row[SEARCHED_COLUMNS[field]]));
  return { ...row, words: indexedWords(String(row['workspace_id']), texts) };
}

const OF_REAL_TIME = new Set(['webhook-timestamp', 'webhook-signature', 'date']);

/** Removes values that differ in every run: times of the real clock, signatures and trace contexts. */
export function withoutRealTime(table: TransferTable['name'], row: TransferRow): TransferRow {
  switch (table) {
    case 'delivery_queue':
    case 'delivery_ends':
      return { ...row, response_time_ms: row['response_time_ms'] == null ? null : 0 };
    case 'delivery_attempts':
      return {
        ...row,
        response_time_ms: 0,
        request_headers: withoutHeaders(row['request_headers']),
        response_headers: withoutHeaders(row['response_headers']),
      };
    case 'events':
      return { ...row, traceparent: null };
    default:
      return row;
  }
}

function withoutHeaders(json: string | number | null | undefined): string | null {
  if (typeof json !== 'string') return null;
  const headers = Object.entries(JSON.parse(json) as Record<string, string>);
  return JSON.stringify(Object.fromEntries(headers.filter(([name]) => !OF_REAL_TIME.has(name.toLowerCase()))));
}
