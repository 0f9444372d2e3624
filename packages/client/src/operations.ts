import type { WorkspaceScope } from './clients.ts';
import { createFollow } from './follow.ts';
import type { MeOperations } from './operations/me.ts';
import type { ListOrganizations, OrganizationOperations } from './operations/organizations.ts';
import type { ListDeliveries } from './operations/webhook-deliveries.ts';
import type { UserWorkspaceOperations, WorkspaceOperations } from './operations/workspaces.ts';
import { createRequest, type RequestOperation } from './request.ts';
import type { Sender } from './sender.ts';

/** The operations inside one workspace. The type of `me` depends on the client. */
export function insideWorkspace(sender: Sender): WorkspaceScope & { me: MeOperations<never> } {
  const { bind, bindList } = sender;
  return {
    me: { retrieve: bind('GET /v1/me') },
    search: bindList('GET /v1/search'),
    webhooks: {
      endpoints: {
        list: bindList('GET /v1/webhooks/endpoints'),
        eventTypes: bindList('GET /v1/webhooks/endpoints/event-types'),
        retrieve: bind('GET /v1/webhooks/endpoints/{endpointId}', 'endpoint'),
        create: bind('POST /v1/webhooks/endpoints', undefined, true),
        update: bind('PATCH /v1/webhooks/endpoints/{endpointId}', 'endpoint', true),
        delete: bind('DELETE /v1/webhooks/endpoints/{endpointId}', null),
        rotateSecret: bind('POST /v1/webhooks/endpoints/{endpointId}/rotate-secret', 'secret'),
        sendTestEvent: bind('POST /v1/webhooks/endpoints/{endpointId}/send-test-event', 'ping'),
      },
      deliveries: {
        list: bindList('GET /v1/webhooks/deliveries') as ListDeliveries,
        retrieve: bind('GET /v1/webhooks/deliveries/{deliveryId}', 'delivery'),
        replay: bind('POST /v1/webhooks/deliveries/{deliveryId}/replay', 'delivery'),
      },
      eventTypes: bindList('GET /v1/webhooks/event-types'),
    },
    events: {
      list: bindList('GET /v1/events'),
      retrieve: bind('GET /v1/events/{eventId}'),
    },
    follow: createFollow(sender),
    request: createRequest(sender),
  };
}

/** The operations on one workspace. */
export function onWorkspace({ bind }: Sender): WorkspaceOperations {
  return {
    retrieve: bind('GET /v1/workspaces/{workspaceId}', 'workspace'),
    update: bind('PATCH /v1/workspaces/{workspaceId}', 'workspace', true),
  };
}

/** The operations of a user across organizations and workspaces. */
export function acrossWorkspaces(sender: Sender): {
  me: MeOperations<never>;
  organizations: OrganizationOperations;
  workspaces: UserWorkspaceOperations;
  request: RequestOperation;
} {
  const { bind, bindList } = sender;
  return {
    me: { retrieve: bind('GET /v1/me') },
    organizations: { list: bindList('GET /v1/organizations') as ListOrganizations },
    workspaces: { ...onWorkspace(sender), list: bindList('GET /v1/workspaces') },
    request: createRequest(sender),
  };
}
