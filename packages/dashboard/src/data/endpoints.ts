import type { WebhookEndpoint } from '@svc/client';
import type { EndpointState } from '@svc/contract/control/types';
import { actingUserId, clientOf } from './acting.ts';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';

/**
 * Returns a workspace's endpoints. A workspace has at most 100 endpoints, so one page is enough. Without a workspace,
 * nothing is requested.
 */
export const useEndpoints = (workspaceId: string): Query<WebhookEndpoint[]> =>
  useQuery(
    workspaceId && `endpoints ${workspaceId} ${actingUserId.value}`,
    async () => (await clientOf(workspaceId).webhooks.endpoints.list({ limit: 100 })).data,
    ['endpoints'],
  );

/** The event catalog's types. */
export const useEventTypes = (workspaceId: string) =>
  useQuery(`event types ${workspaceId} ${actingUserId.value}`, async () =>
    clientOf(workspaceId).webhooks.endpoints.eventTypes().collect({ limit: 1_000 }),
  );

/** The state of each of the workspace's endpoints, by id. */
export const useEndpointStates = (workspaceId: string): Query<ReadonlyMap<string, EndpointState>> =>
  useQuery(`endpoint states ${workspaceId}`, async () => {
    const query = { workspaceId, limit: 100 };
    const { data } = await control('GET', '/endpoints', { query });
    return new Map(data.map((state) => [state.id, state]));
  }, ['endpoints', 'clock']);
