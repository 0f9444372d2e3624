import { z } from 'zod';
import { selectFrom } from '../../storage/keyset.ts';
import { listNotifications } from '../../storage/statements/list-notifications.ts';
import { answerPage } from '../list.ts';
import { toTimestamp } from '../present/timestamp.ts';
import type { ReceivedRequest } from '../received-requests.ts';
import { controlOperation } from './operation.ts';
import { envelope, listOf, page } from './page.ts';

const notification = z.object({
  id: z.string(),
  userId: z.string(),
  workspaceId: z.string(),
  type: z.string(),
  endpointId: z.string().nullable(),
  createdAt: z.string(),
  readAt: z.string().nullable(),
});

const receivedRequest = z.object({
  id: z.string(),
  receivedAt: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  status: z.int().nullable(),
  durationMs: z.number(),
  operation: z.string().nullable(),
  credentialId: z.string().nullable(),
  workspaceId: z.string().nullable(),
  faultId: z.string().nullable(),
  requestBody: z.string().nullable().describe('At most 16 KiB, secrets redacted; null in the strict profile'),
  responseBody: z.string().nullable().describe('At most 16 KiB, secrets redacted; null in the strict profile'),
});

const requestFilters = {
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD', 'OPTIONS']).optional(),
  /** One status, or a class such as `4xx`. */
  status: z
    .string()
    .regex(/^(?:[1-5]\d\d|[1-5]xx)$/, 'must be a status such as 404, or a class such as 4xx')
    .optional(),
  path: z.string().max(200).optional(),
  workspaceId: z.string().optional(),
  credentialId: z.string().optional(),
};

/** Whether a request matches the filters. `path` is a prefix, the others must be equal. */
const matching =
  ({ method, status, path, workspaceId, credentialId }: z.output<z.ZodObject<typeof requestFilters>>) =>
  (request: ReceivedRequest) =>
    (method === undefined || request.method === method) &&
    (status === undefined || new RegExp(`^${status.replace('xx', '\\d\\d')}$`).test(String(request.status))) &&
    (path === undefined || request.url.startsWith(path)) &&
    (workspaceId === undefined || request.workspaceId === workspaceId) &&
    (credentialId === undefined || request.credentialId === credentialId);

const readNotifications = controlOperation({
  method: 'GET',
  path: '/_control/notifications',
  summary: 'The notifications of users, newest first',
  query: z.object({ userId: z.string().optional(), ...page }),
  status: 200,
  answer: envelope(notification),
  async handle({ services, query: { userId, ...query } }) {
    return await answerPage(
      listOf(services, '/_control/notifications', userId === undefined ? {} : { userId }, query),
      (bound, size) => services.storage.read((queries) => listNotifications(queries, userId, bound, size)),
      (row) => row.id,
      (row): z.output<typeof notification> => ({
        id: row.id,
        userId: row.user_id,
        workspaceId: row.workspace_id,
        type: row.type,
        endpointId: row.endpoint_id,
        createdAt: toTimestamp(row.created_at),
        readAt: row.read_at === null ? null : toTimestamp(row.read_at),
      }),
    );
  },
});

const readRequests = controlOperation({
  method: 'GET',
  path: '/_control/requests',
  summary: 'The latest 1,000 requests to the API that this server received, newest first, with credentials redacted',
  query: z.object({ ...requestFilters, ...page }),
  status: 200,
  answer: envelope(receivedRequest),
  async handle({ services, query: { limit, page: token, ...given } }) {
    const filters = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    return await answerPage(
      listOf(services, '/_control/requests', filters, { limit, page: token }),
      selectFrom(services.receivedRequests.list().filter(matching(given)), (request) => request.key),
      (request) => request.key,
      ({ key: _key, ...request }): z.output<typeof receivedRequest> => request,
    );
  },
});

/** The calls that list notifications and received requests. */
export const listOperations = [readNotifications, readRequests];
