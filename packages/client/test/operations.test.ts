import { type OperationName, operations } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import type { ApiKeyClient, UserClient } from '../src/index.ts';
import { apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json } from './support/steps.ts';

interface Clients {
  svc: ApiKeyClient;
  user: UserClient;
}

/** How each operation of the contract is called. The compiler requires every one. A list with two paths has one method. */
const calls: Record<OperationName, (clients: Clients) => PromiseLike<unknown>> = {
  listWorkspaces: ({ user }) => user.workspaces.list(),
  retrieveWorkspace: ({ svc }) => svc.workspaces.retrieve('wsp_1'),
  updateWorkspace: ({ svc }) => svc.workspaces.update('wsp_1', { name: 'New' }),
  listOrganizations: ({ user }) => user.organizations.list({ expand: ['workspaces'] }),
  retrieveIdentity: ({ svc }) => svc.me.retrieve(),
  search: ({ svc }) => svc.search({ q: 'ada' }),
  listWebhookEndpoints: ({ svc }) => svc.webhooks.endpoints.list(),
  retrieveWebhookEndpoint: ({ svc }) => svc.webhooks.endpoints.retrieve('whe_1'),
  createWebhookEndpoint: ({ svc }) =>
    svc.webhooks.endpoints.create({ url: 'https://a.example', subscribedEvents: ['*'] }),
  updateWebhookEndpoint: ({ svc }) => svc.webhooks.endpoints.update('whe_1', { active: false }),
  deleteWebhookEndpoint: ({ svc }) => svc.webhooks.endpoints.delete('whe_1'),
  listEventTypes: ({ svc }) => svc.webhooks.endpoints.eventTypes(),
  listEventTypesByShortPath: ({ svc }) => svc.request('GET', '/v1/webhooks/event-types'),
  rotateWebhookSecret: ({ svc }) => svc.webhooks.endpoints.rotateSecret('whe_1'),
  sendTestEvent: ({ svc }) => svc.webhooks.endpoints.sendTestEvent('whe_1'),
  listWebhookDeliveries: ({ svc }) => svc.webhooks.deliveries.list({ status: 'failed' }),
  retrieveWebhookDelivery: ({ svc }) => svc.webhooks.deliveries.retrieve('whd_1'),
  replayWebhookDelivery: ({ svc }) => svc.webhooks.deliveries.replay('whd_1'),
  retrieveEvent: ({ svc }) => svc.events.retrieve('evt_1'),
  listEvents: ({ svc }) => svc.events.list({ type: 'webhook.ping' }),
};

/** A response that satisfies every operation. */
const anything = {
  data: [],
  nextPageUrl: null,
  previousPageUrl: null,
  workspace: { id: 'wsp_1' },
  endpoint: { id: 'whe_1' },
  delivery: { id: 'whd_2', endpointId: 'whe_1' },
  secret: { id: 'whs_1' },
  ping: { deliveryId: 'whd_1' },
};

const ids: Record<string, string> = {
  workspaceId: 'wsp_1',
  endpointId: 'whe_1',
  deliveryId: 'whd_1',
  eventId: 'evt_1',
};

type ListName = {
  [Name in OperationName]: (typeof operations)[Name]['list'] extends 'no' ? never : Name;
}[OperationName];

/** What each operation other than a list returns. The compiler requires every one. */
const data: Record<Exclude<OperationName, ListName>, unknown> = {
  retrieveWorkspace: anything.workspace,
  updateWorkspace: anything.workspace,
  retrieveWebhookEndpoint: anything.endpoint,
  updateWebhookEndpoint: anything.endpoint,
  createWebhookEndpoint: anything,
  rotateWebhookSecret: anything.secret,
  sendTestEvent: anything.ping,
  replayWebhookDelivery: anything.delivery,
  retrieveWebhookDelivery: anything.delivery,
  deleteWebhookEndpoint: undefined,
  retrieveEvent: anything,
  retrieveIdentity: anything,
};

describe('the operations of the contract (service document, "Endpoints")', () => {
  it.each(Object.entries(operations))('%s is called with its method, path and body', async (name, operation) => {
    await using server = await startScriptedServer(json(anything, operation.status));
    await calls[name as OperationName]({ svc: apiKeyClient(server), user: userClient(server) });
    const [request, ...others] = server.requests;
    expect(others).toEqual([]);
    expect(request?.method).toBe(operation.method);
    expect(new URL(request?.url ?? '', server.url).pathname).toBe(
      operation.path.replace(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? ''),
    );
    expect(request?.body !== '').toBe(operation.body !== null);
    expect(request?.headers['content-type']).toBe(operation.body === null ? undefined : 'application/json');
  });

  it.each(Object.entries(data))('%s returns the resource, without the object around it', async (name, expected) => {
    await using server = await startScriptedServer(json(anything));
    expect(await calls[name as OperationName]({ svc: apiKeyClient(server), user: userClient(server) })).toEqual(
      expected,
    );
  });

  it('has one method for the list of event types', () => {
    const { webhooks } = apiKeyClient({ url: 'https://a.example' });
    expect(Object.keys(webhooks).sort()).toEqual(['deliveries', 'endpoints']);
    expect(webhooks.endpoints).toHaveProperty('eventTypes');
  });

  it('errors name their operation by method and path', async () => {
    await using server = await startScriptedServer(json({ error: { code: 'CONFLICT', message: 'No' } }, 409));
    const clients = { svc: apiKeyClient(server), user: userClient(server) };
    for (const [name, { method, path }] of Object.entries(operations)) {
      const call = calls[name as OperationName](clients);
      await expect(call).rejects.toMatchObject({ operation: `${method} ${path}`, code: 'CONFLICT', attempts: 1 });
    }
  });
});
