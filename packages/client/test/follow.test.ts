import { describe, expect, it } from 'vitest';
import { createClient } from '../src/index.ts';
import { API_KEY, apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json } from './support/steps.ts';

const workspace = { id: 'wsp_1', name: 'Acme' };
const answer = json({ workspace, endpoint: { id: 'whe_1' }, other: 1 });

describe('following a subject (service document, "Delivery format")', () => {
  it.each([
    [{ id: 'wsp_1', type: 'workspace', url: '/v1/workspaces/wsp_1' }, workspace],
    [{ id: 'whe_1', type: 'webhook_endpoint', url: '/v1/webhooks/endpoints/whe_1' }, { id: 'whe_1' }],
    [
      { id: 'x_1', type: 'added_later', url: '/v1/x/x_1' },
      { workspace, endpoint: { id: 'whe_1' }, other: 1 },
    ],
  ])('retrieves the resource of %j', async (subject, resource) => {
    await using server = await startScriptedServer(answer);
    expect(await apiKeyClient(server).follow(subject)).toEqual(resource);
    expect(server.requests.map((request) => request.url)).toEqual([subject.url]);
  });

  it('takes a whole URL of the same origin, and a path under the base URL', async () => {
    await using server = await startScriptedServer(answer);
    const svc = createClient({ apiKey: API_KEY, baseUrl: `${server.url}/gateway` });
    await svc.follow({ id: 'wsp_1', type: 'workspace', url: `${server.url}/v1/workspaces/wsp_1` });
    await svc.follow({ id: 'wsp_1', type: 'workspace', url: '/v1/workspaces/wsp_1' });
    expect(server.requests.map((request) => request.url)).toEqual([
      '/v1/workspaces/wsp_1',
      '/gateway/v1/workspaces/wsp_1',
    ]);
  });

  it('names the workspace for a user', async () => {
    await using server = await startScriptedServer(answer);
    const subject = { id: 'whe_1', type: 'webhook_endpoint', url: '/v1/webhooks/endpoints/whe_1' };
    await userClient(server).workspace('wsp_9').follow(subject);
    expect(server.requests[0]?.headers['service-workspace-id']).toBe('wsp_9');
  });

  it.each([
    'https://evil.example/v1/workspaces/wsp_1',
    '//evil.example/v1',
    'javascript:alert(1)',
    'v1/workspaces',
    '',
  ])('refuses %j before anything is sent', async (url) => {
    await using server = await startScriptedServer(answer);
    const call = apiKeyClient(server).follow({ id: 'wsp_1', type: 'workspace', url });
    await expect(call).rejects.toMatchObject({ name: 'UsageError' });
    expect(server.requests).toEqual([]);
  });
});
