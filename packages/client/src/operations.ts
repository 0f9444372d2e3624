import { createBind, type EveryCaller } from './bind.ts';
import { createBindList } from './bind-list.ts';
import type { WorkspaceScope } from './clients.ts';
import { createFollow } from './follow-subject.ts';
import type { MeOperations } from './operations/me.ts';
import type { OrganizationOperations } from './operations/organizations.ts';
import type { UserWorkspaceOperations, WorkspaceOperations } from './operations/workspaces.ts';
import { createRequest, type RequestOperation } from './request.ts';
import type { Sender } from './sender.ts';

/** The operations inside one workspace. The type of `me` covers every client; `clients.ts` chooses its exact type. */
export function insideWorkspace(sender: Sender): WorkspaceScope & { me: MeOperations<EveryCaller> } {
  const bind = createBind(sender);
  const bindList = createBindList(sender);
  return {
    me: { retrieve: bind('GET /v1/me', 'all') },
    search: bindList('GET /v1/search', { q: 1, type: 1 }),
    webhooks: {
      endpoints: {
        list: bindList('GET /v1/webhooks/endpoints'),
        eventTypes: bindList('GET /v1/webhooks/endpoints/event-types'),
        retrieve: bind('GET /v1/webhooks/endpoints/{endpointId}', 'endpoint'),
        create: bind('POST /v1/webhooks/endpoints', 'all', true),
        update: bind('PATCH /v1/webhooks/endpoints/{endpointId}', 'endpoint', true),
        delete: bind('DELETE /v1/webhooks/endpoints/{endpointId}', 'nothing'),
        rotateSecret: bind('POST /v1/webhooks/endpoints/{endpointId}/rotate-secret', 'secret'),
        sendTestEvent: bind('POST /v1/webhooks/endpoints/{endpointId}/send-test-event', 'ping'),
      },
      deliveries: {
        list: bindList('GET /v1/webhooks/deliveries', {
          endpointId: 1,
          status: 1,
          eventType: 1,
          createdFrom: 1,
          createdTo: 1,
        }),
        retrieve: bind('GET /v1/webhooks/deliveries/{deliveryId}', 'delivery'),
        replay: bind('POST /v1/webhooks/deliveries/{deliveryId}/replay', 'delivery'),
      },
    },
    events: {
      list: bindList('GET /v1/events', { type: 1, subjectType: 1, subjectId: 1 }),
      retrieve: bind('GET /v1/events/{eventId}', 'all'),
    },
    follow: createFollow(sender),
    request: createRequest(sender),
  };
}

export function onWorkspace(sender: Sender): WorkspaceOperations {
  const bind = createBind(sender);
  return {
    retrieve: bind('GET /v1/workspaces/{workspaceId}', 'workspace'),
    update: bind('PATCH /v1/workspaces/{workspaceId}', 'workspace', true),
  };
}

export function acrossWorkspaces(sender: Sender): {
  me: MeOperations<EveryCaller>;
  organizations: OrganizationOperations;
  workspaces: UserWorkspaceOperations;
  request: RequestOperation;
} {
  const bind = createBind(sender);
  const bindList = createBindList(sender);
  return {
    me: { retrieve: bind('GET /v1/me', 'all') },
    organizations: { list: bindList('GET /v1/organizations', { expand: 1 }) },
    workspaces: { ...onWorkspace(sender), list: bindList('GET /v1/workspaces') },
    request: createRequest(sender),
  };
}
