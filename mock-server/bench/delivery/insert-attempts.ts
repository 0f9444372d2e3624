import type { Instant } from '../../src/domain/instant.ts';
import { insertRows } from '../../src/storage/many-rows.ts';
import type { Queries } from '../../src/storage/port.ts';

/** A log entry for an attempt. */
export interface NewAttempt {
  /** A ULID without a prefix. */
  id: string;
  deliveryId: string;
  /** The number of the attempt. The first attempt has the number 1. */
  number: number;
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  loggedHeaders: Record<string, string>;
  /** The part of the receiver's response that arrived. Undefined if the head of the response did not arrive. */
  response: { status: number; headers: Record<string, string>; body: string } | undefined;
  responseTimeMs: number;
  /** Null if the attempt succeeded. */
  error: string | null;
  /** Whether the node had already lost the lease. In this case, the attempt changes nothing. */
  late: boolean;
}

/** Adds attempts to the log. */
export async function insertAttempts(queries: Queries, attempts: readonly NewAttempt[]): Promise<void> {
  await insertRows(queries, 'delivery_attempts', attempts, {
    id: ['text', ({ id }) => id],
    delivery_id: ['text', ({ deliveryId }) => deliveryId],
    number: ['integer', ({ number }) => number],
    url: ['text', ({ url }) => url],
    started_at: ['bigint', ({ startedAt }) => startedAt],
    ended_at: ['bigint', ({ endedAt }) => endedAt],
    request_headers: ['text', ({ loggedHeaders }) => JSON.stringify(loggedHeaders)],
    response_status: ['integer', ({ response }) => response?.status ?? null],
    response_headers: ['text', ({ response }) => (response ? JSON.stringify(response.headers) : null)],
    response_body: ['text', ({ response }) => response?.body ?? null],
    response_time_ms: ['integer', ({ responseTimeMs }) => responseTimeMs],
    error: ['text', ({ error }) => error],
    late: ['integer', ({ late }) => (late ? 1 : 0)],
  });
}
