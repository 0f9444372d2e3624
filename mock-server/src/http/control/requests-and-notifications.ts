import type { ControlNotification, ControlRequest, RequestFilters } from '@svc/contract/control/resources';
import { listNotifications } from '../../storage/statements/notifications.ts';
import { found } from '../errors.ts';
import { respondWithPage } from '../list.ts';
import { toTimestamp } from '../present.ts';
import type { RememberedRequest } from '../request-log.ts';
import type { ControlHandlers } from './operation.ts';

const matching =
  ({ method, status, path, workspaceId, credentialId, ignored }: RequestFilters) =>
  (request: RememberedRequest) =>
    (method === undefined || request.method === method) &&
    (status === undefined || new RegExp(`^${status.replace('xx', '\\d\\d')}$`).test(String(request.status))) &&
    (path === undefined || request.url.startsWith(path)) &&
    (workspaceId === undefined || request.workspaceId === workspaceId) &&
    (credentialId === undefined || request.credentialId === credentialId) &&
    (ignored === undefined || request.ignored.length > 0 === ignored);

export const listHandlers = {
  async listNotifications(request) {
    return await respondWithPage(
      request,
      (queries, bound, limit) => listNotifications(queries, request.query.userId, bound, limit),
      (row) => row.id,
      (row): ControlNotification => ({
        id: row.id,
        userId: row.user_id,
        workspaceId: row.workspace_id,
        type: row.type,
        endpointId: row.endpoint_id,
        createdAt: toTimestamp(row.created_at),
        readAt: null,
      }),
    );
  },

  async listRequests(request) {
    return await respondWithPage(
      request,
      request.services.requestLog.list().filter(matching(request.query)),
      (received) => received.key,
      ({ key: _key, ...received }): ControlRequest => received,
    );
  },

  async readRequest({ services, params: { requestId } }) {
    const { key: _key, ...request } = found(services.requestLog.find(requestId), 'request', requestId);
    return { request };
  },
} satisfies Partial<ControlHandlers>;
