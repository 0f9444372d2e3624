import type { Instant } from '../../src/domain/instant.ts';
import { insertRows } from '../../src/storage/many-rows.ts';
import type { Queries } from '../../src/storage/port.ts';

/** A log entry of an attempt. */
export interface NewAttempt {
  /** A bare ULID. */
  id: string;
  deliveryId: string;
  /** Starts at 1. */
  number: number;
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  requestHeaders: Record<string, string>;
  /** What arrived of the receiver's response. Undefined if its head did not. */
  response: { status: number; headers: Record<string, string>; body: string } | undefined;
  responseTimeMs: number;
  /** Null if the attempt succeeded. */
  error: string | null;
  /** Whether its lease was already lost, so that it changes nothing. */
  late: boolean;
}

const COLUMNS = {
  id: 'text',
  delivery_id: 'text',
  number: 'integer',
  url: 'text',
  started_at: 'bigint',
  ended_at: 'bigint',
  request_headers: 'text',
  response_status: 'integer',
  response_headers: 'text',
  response_body: 'text',
  response_time_ms: 'integer',
  error: 'text',
  late: 'integer',
} as const;

/** Adds attempts to the log. */
export async function insertAttempts(queries: Queries, attempts: readonly NewAttempt[]): Promise<void> {
  const rows = attempts.map((attempt) => [
    attempt.id,
    attempt.deliveryId,
    attempt.number,
    attempt.url,
    attempt.startedAt,
    attempt.endedAt,
    JSON.stringify(attempt.requestHeaders),
    attempt.response?.status ?? null,
    attempt.response ? JSON.stringify(attempt.response.headers) : null,
    attempt.response?.body ?? null,
    attempt.responseTimeMs,
    attempt.error,
    attempt.late ? 1 : 0,
  ]);
  await insertRows(queries, 'delivery_attempts', COLUMNS, rows);
}
