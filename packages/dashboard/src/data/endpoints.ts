import type { WebhookEndpoint } from '@svc/client';
import type { EndpointState } from '@svc/contract/control/types';
import { actingUserId, clientOf } from './acting.ts';
import { control } from './control.ts';
import { type Query, useQuery } from './query.ts';

/** Reads all endpoints of a workspace. One page is enough, because a workspace has at most 100 endpoints. */
export const useEndpoints = (workspaceId: string): Query<WebhookEndpoint[]> =>
  useQuery(
    workspaceId && `endpoints ${workspaceId} ${actingUserId.value}`,
    async () => (await clientOf(workspaceId).webhooks.endpoints.list({ limit: 100 })).data,
    ['endpoints'],
  );

export const useEventTypes = (workspaceId: string) =>
  useQuery(`event types ${workspaceId} ${actingUserId.value}`, async () =>
    clientOf(workspaceId).webhooks.endpoints.eventTypes().collect({ limit: 1_000 }),
  );

export const useEndpointStates = (workspaceId: string): Query<ReadonlyMap<string, EndpointState>> =>
  useQuery(`endpoint states ${workspaceId}`, async () => {
    const query = { workspaceId, limit: 100 };
    const { data } = await control('GET', '/endpoints', { query });
    return new Map(data.map((state) => [state.id, state]));
  }, ['endpoints', 'clock']);
