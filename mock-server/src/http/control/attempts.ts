import type { LoggedAttempt } from '@svc/contract/control/resources';
import type { AttemptTable } from '../../storage/schema/webhooks.ts';
import { listAttempts } from '../../storage/statements/deliveries/read.ts';
import { notFound } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { ControlHandlers } from './operation.ts';

/** The call that returns the attempts of a delivery. */
export const attemptHandlers = {
  async listAttempts({ services: { storage }, params: { deliveryId } }) {
    const found = await storage.read((queries) => listAttempts(queries, deliveryId));
    if (!found) throw notFound('webhook delivery', deliveryId);
    const body = found.body === null ? null : (JSON.parse(found.body) as unknown);
    return { attempts: found.attempts.map((row) => presentAttempt(row, body, found.body)) };
  },
} satisfies Partial<ControlHandlers>;

const presentAttempt = (row: AttemptTable, body: unknown, bodyText: string | null): LoggedAttempt => ({
  number: row.number,
  startedAt: toTimestamp(row.started_at),
  endedAt: toTimestamp(row.ended_at),
  request: { url: row.url, headers: JSON.parse(row.request_headers) as Record<string, string>, body, bodyText },
  response:
    row.response_status === null
      ? null
      : {
          status: row.response_status,
          headers: JSON.parse(row.response_headers ?? '{}') as Record<string, string>,
          body: row.response_body,
        },
  responseTimeMs: row.response_time_ms,
  error: row.error,
  late: row.late === 1,
});
