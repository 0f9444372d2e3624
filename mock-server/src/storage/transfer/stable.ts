import type { TransferRow, TransferTable } from './tables.ts';

/** The names of headers whose values contain the real time or depend on it. */
const OF_REAL_TIME = new Set(['webhook-timestamp', 'webhook-signature', 'date']);

/** Removes values that come from the real clock and differ in every run. */
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
