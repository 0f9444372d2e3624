import { z } from 'zod';
import { selectFrom } from '../../storage/keyset.ts';
import { listNotifications } from '../../storage/statements/list-notifications.ts';
import { answerPage } from '../list.ts';
import { toTimestamp } from '../present/timestamp.ts';
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
});

const readNotifications = controlOperation({
  method: 'GET',
  path: '/_control/notifications',
  summary: 'What users were told, newest first',
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
  summary: 'The latest 1,000 requests to the API that this server received, newest first, credentials cut out',
  query: z.object(page),
  status: 200,
  answer: envelope(receivedRequest),
  async handle({ services, query }) {
    return await answerPage(
      listOf(services, '/_control/requests', {}, query),
      selectFrom(services.receivedRequests.list(), (request) => request.key),
      (request) => request.key,
      ({ key: _key, ...request }): z.output<typeof receivedRequest> => request,
    );
  },
});

/** The calls that list what the server told and was asked. */
export const listOperations = [readNotifications, readRequests];
