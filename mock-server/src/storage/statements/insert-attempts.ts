import { sql } from 'kysely';
import type { Instant } from '../../runtime/clock.ts';
import { givenRows } from '../dialect.ts';
import type { Queries } from '../port.ts';

/** An attempt for the log. */
export interface NewAttempt {
  /** Bare ULID. */
  id: string;
  deliveryId: string;
  /** 1 for the first. */
  number: number;
  url: string;
  startedAt: Instant;
  endedAt: Instant;
  requestHeaders: Record<string, string>;
  /** What the receiver answered; undefined where no whole answer came. */
  answer: { status: number; headers: Record<string, string>; body: string } | undefined;
  responseTimeMs: number;
  /** Null where the attempt succeeded. */
  error: string | null;
  /** Whether its lease was lost by then, so that it moved nothing. */
  late: boolean;
}

/** Appends attempts to the log. */
export async function insertAttempts(queries: Queries, attempts: readonly NewAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  const rows = attempts.map(({ answer, requestHeaders, late, ...attempt }) => ({
    ...attempt,
    requestHeaders: JSON.stringify(requestHeaders),
    responseStatus: answer?.status ?? null,
    responseHeaders: answer ? JSON.stringify(answer.headers) : null,
    responseBody: answer?.body ?? null,
    late: late ? 1 : 0,
  }));
  await sql`
    insert into delivery_attempts (id, delivery_id, number, url, started_at, ended_at, request_headers,
      response_status, response_headers, response_body, response_time_ms, error, late)
    select given.value ->> 'id', given.value ->> 'deliveryId', cast(given.value ->> 'number' as integer),
      given.value ->> 'url', cast(given.value ->> 'startedAt' as bigint), cast(given.value ->> 'endedAt' as bigint),
      given.value ->> 'requestHeaders', cast(given.value ->> 'responseStatus' as integer),
      given.value ->> 'responseHeaders', given.value ->> 'responseBody',
      cast(given.value ->> 'responseTimeMs' as integer), given.value ->> 'error', cast(given.value ->> 'late' as integer)
    from ${givenRows(queries, rows)}`.execute(queries);
}
