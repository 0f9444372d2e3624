import { describe, expect, it } from 'vitest';
import { createClient } from '../src/index.ts';
import { schemas } from '../src/schemas.ts';
import { fixtures } from '../src/testing.ts';
import { API_KEY, apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, refusal } from './support/steps.ts';

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

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'returns the whole response for the type %j',
    async (type) => {
      await using server = await startScriptedServer(answer);
      const subject = { id: 'x_1', type, url: '/v1/x/x_1' };
      expect(await apiKeyClient(server).follow(subject)).toEqual({ workspace, endpoint: { id: 'whe_1' }, other: 1 });
    },
  );

  it('accepts a full URL of the same origin, and a path under the base URL', async () => {
    await using server = await startScriptedServer(answer);
    const svc = createClient({ apiKey: API_KEY, baseUrl: `${server.url}/gateway` });
    await svc.follow({ id: 'wsp_1', type: 'workspace', url: `${server.url}/v1/workspaces/wsp_1` });
    await svc.follow({ id: 'wsp_1', type: 'workspace', url: '/v1/workspaces/wsp_1' });
    expect(server.requests.map((request) => request.url)).toEqual([
      '/v1/workspaces/wsp_1',
      '/gateway/v1/workspaces/wsp_1',
    ]);
  });

  it.each([
    ['/gateway/v1/workspaces/wsp_1', '/gateway/v1/workspaces/wsp_1'],
    ['/gateway2/v1/workspaces/wsp_1', '/gateway/gateway2/v1/workspaces/wsp_1'],
    ['/v1/gateway/wsp_1', '/gateway/v1/gateway/wsp_1'],
  ])('sends %j under the base URL, without its path twice', async (url, sent) => {
    await using server = await startScriptedServer(answer);
    const svc = createClient({ apiKey: API_KEY, baseUrl: `${server.url}/gateway` });
    await svc.follow({ id: 'wsp_1', type: 'workspace', url });
    expect(server.requests.map((request) => request.url)).toEqual([sent]);
  });

  it('accepts a URL that begins with the host, if it is the service’s host', async () => {
    await using server = await startScriptedServer(answer);
    const url = `${server.url.replace('http:', '')}/v1/workspaces/wsp_1`;
    await apiKeyClient(server).follow({ id: 'wsp_1', type: 'workspace', url });
    expect(server.requests.map((request) => request.url)).toEqual(['/v1/workspaces/wsp_1']);
  });

  it.each([
    '/v1/../../other-app/x',
    '/gateway/../other-app/x',
    '/v1/workspaces/../me',
    '/v1/%2e%2E/me',
    '/v1//me',
    '/v1/workspaces/',
    '/v1/works paces/wsp_1',
    '/v1\\me',
  ])('rejects %j, which leads to another endpoint, before anything is sent', async (url) => {
    await using server = await startScriptedServer(answer);
    const svc = createClient({ apiKey: API_KEY, baseUrl: `${server.url}/gateway` });
    await expect(svc.follow({ id: 'wsp_1', type: 'workspace', url })).rejects.toMatchObject({
      name: 'UsageError',
      message: 'Not a path: encode each part; omit "", ".", ".."',
    });
    const absolute = { id: 'wsp_1', type: 'workspace', url: server.url + url };
    await expect(svc.follow(absolute)).rejects.toMatchObject({ name: 'UsageError' });
    for (const scheme of ['//', 'http:/', 'http:', 'HTTP://', 'http:\\\\']) {
      const spelled = { ...absolute, url: absolute.url.replace('http://', scheme) };
      await expect(svc.follow(spelled)).rejects.toMatchObject({ name: 'UsageError' });
    }
    expect(server.requests).toEqual([]);
  });

  it.each(['', '/', '?view=all', '/?view=all', '#top'])('rejects the address of the service with %j', async (end) => {
    await using server = await startScriptedServer(answer);
    const subject = { id: 'wsp_1', type: 'workspace', url: server.url + end };
    await expect(apiKeyClient(server).follow(subject)).rejects.toMatchObject({ name: 'UsageError' });
    expect(server.requests).toEqual([]);
  });

  it('rejects a subject without a URL', async () => {
    await using server = await startScriptedServer(answer);
    const subject = { id: 'wsp_1', type: 'workspace' } as never;
    await expect(apiKeyClient(server).follow(subject)).rejects.toMatchObject({ name: 'UsageError' });
    expect(server.requests).toEqual([]);
  });

  it('names the workspace for a user', async () => {
    await using server = await startScriptedServer(answer);
    const subject = { id: 'whe_1', type: 'webhook_endpoint', url: '/v1/webhooks/endpoints/whe_1' };
    await userClient(server).workspace('wsp_9').follow(subject);
    expect(server.requests[0]?.headers['service-workspace-id']).toBe('wsp_9');
  });

  it.each([
    ['/v1/workspaces/wsp_1?view=all', 'GET /v1/workspaces/{workspaceId}'],
    ['/v1/webhooks/endpoints/whe_1', 'GET /v1/webhooks/endpoints/{endpointId}'],
    ['/v1/webhooks/deliveries/whd_1', 'GET /v1/webhooks/deliveries/{deliveryId}'],
    ['/v1/events/evt_1#top', 'GET /v1/events/{eventId}'],
    ['/v1/x/x_1?secret=hush', 'GET /v1/x/{id}'],
    ['/v1/webhooks/endpoints/event-types', 'GET /v1/webhooks/endpoints/event-types'],
    ['/v1/x/constructor_1/y/z_2', 'GET /v1/x/{id}/y/{id}'],
  ])('is named after the operation of %j, without a query', async (url, operation) => {
    await using server = await startScriptedServer(answer, refusal(404, 'NOT_FOUND'));
    const seen: unknown[] = [];
    const svc = apiKeyClient(server, {
      logger: { debug: (_, fields) => seen.push(fields['operation']) },
      middleware: [
        (request, next, context) => {
          seen.push(context.operation);
          return next(request);
        },
      ],
    });
    await svc.follow({ id: 'x_1', type: 'added_later', url });
    await expect(svc.follow({ id: 'x_1', type: 'added_later', url })).rejects.toMatchObject({ operation });
    // Each call has two lines of the log, and runs through the middleware once.
    expect(seen).toEqual(Array(6).fill(operation));
  });

  it('checks the response against the schema of that operation', async () => {
    await using server = await startScriptedServer(
      json({ workspace: fixtures.workspace() }),
      json({ workspace: fixtures.workspace({ name: 7 as never }) }),
    );
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    const subject = { id: 'wsp_1', type: 'workspace', url: `${server.url}/v1/workspaces/wsp_1` };
    expect(await svc.follow(subject)).toEqual(fixtures.workspace());
    await expect(svc.follow(subject)).rejects.toMatchObject({
      name: 'ResponseError',
      issues: [{ path: ['workspace', 'name'] }],
    });
  });

  it.each([undefined, null, {}, { url: 7 }, { url: null }])(
    'refuses the subject %j when it is called',
    async (subject) => {
      await using server = await startScriptedServer(answer);
      const call = apiKeyClient(server).follow(subject as never);
      await expect(call).rejects.toMatchObject({ name: 'UsageError' });
      expect(server.requests).toEqual([]);
    },
  );

  it.each([
    'https://evil.example/v1/workspaces/wsp_1',
    '//evil.example/v1',
    '/\\evil.example/v1',
    '\\\\evil.example/v1',
    '/\t/evil.example/v1',
    '/\n\\evil.example/v1',
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
