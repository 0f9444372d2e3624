import { z } from 'zod';
import type { AttemptTable } from '../../storage/schema/webhooks.ts';
import { listAttempts } from '../../storage/statements/list-attempts.ts';
import { notFound } from '../errors.ts';
import { toTimestamp } from '../present/timestamp.ts';
import { controlOperation } from './operation.ts';

const headers = z.record(z.string(), z.string());
const attempt = z.object({
  number: z.int(),
  startedAt: z.string(),
  endedAt: z.string(),
  request: z.object({
    url: z.string(),
    headers,
    body: z.unknown(),
    bodyText: z.string().nullable().describe('The body, byte for byte'),
  }),
  response: z.object({ status: z.int(), headers, body: z.string().nullable() }).nullable(),
  responseTimeMs: z.int(),
  error: z.string().nullable(),
  late: z.boolean(),
});

const readAttempts = controlOperation({
  method: 'GET',
  path: '/_control/deliveries/{id}/attempts',
  summary:
    'Every attempt of a delivery with its request, answer and times; late ones ended after their lease was lost and changed nothing',
  status: 200,
  answer: z.object({ attempts: z.array(attempt) }),
  refusals: { 404: 'No such delivery.' },
  async handle({ services: { storage }, params: { id = '' } }) {
    const found = await storage.read((queries) => listAttempts(queries, id));
    if (!found) throw notFound('webhook delivery', id);
    const body = found.body === null ? null : (JSON.parse(found.body) as z.output<ReturnType<typeof z.json>>);
    return { attempts: found.attempts.map((row) => presentAttempt(row, body, found.body)) };
  },
});

const presentAttempt = (
  row: AttemptTable,
  body: z.output<typeof attempt>['request']['body'],
  bodyText: string | null,
): z.output<typeof attempt> => ({
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

/** The call that returns the attempts of a delivery. */
export const attemptOperations = [readAttempts];
