import { describe, expect, it } from 'vitest';
import { createClient } from '../src/index.ts';
import { schemas } from '../src/schemas.ts';
import { fixtures } from '../src/testing.ts';
import { API_KEY, apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page, refusal, text } from './support/steps.ts';

describe('a request to any route', () => {
  it('sends the method, the path, the query and the body, and returns the whole response', async () => {
    await using server = await startScriptedServer(json({ run: { id: 'run_1' } }, 201));
    const svc = apiKeyClient(server);
    const { data, status } = await svc
      .request('POST', '/v1/exports/exp_1/runs?dry=1', {
        query: { since: new Date(0), columns: ['a', 'b'], limit: 3, skip: undefined },
        body: { deep: [1] },
        headers: { 'X-Trace': 'abc' },
      })
      .withResponse();
    expect([data, status]).toEqual([{ run: { id: 'run_1' } }, 201]);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/exports/exp_1/runs?dry=1&since=1970-01-01T00%3A00%3A00.000Z&columns=a%2Cb&limit=3',
      body: '{"deep":[1]}',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json', 'x-trace': 'abc' },
    });
  });

  it('is retried, named and validated like any other', async () => {
    await using server = await startScriptedServer(
      refusal(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      json({ workspace: fixtures.workspace({ name: 7 as never }) }),
    );
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    await expect(svc.request('GET', '/v1/workspaces/wsp_1?fresh=1')).rejects.toMatchObject({
      name: 'ResponseError',
      operation: 'GET /v1/workspaces/{workspaceId}',
      attempts: 2,
    });
  });

  it.each(['post', 'Post'])('is not retried if its method is %s and the request may have arrived', async (method) => {
    await using server = await startScriptedServer(refusal(503, 'UNAVAILABLE', { 'retry-after': '0' }), json({}));
    const call = apiKeyClient(server).request(method as 'POST', '/v1/exports', { body: {} });
    await expect(call).rejects.toMatchObject({ status: 503, operation: 'POST /v1/exports' });
    expect(server.requests).toHaveLength(1);
  });

  it('is named by its path, without ids and query', async () => {
    await using server = await startScriptedServer(refusal(404, 'NOT_FOUND'));
    const call = apiKeyClient(server).request('PUT', '/v1/things/thg_1/parts/x?secret=hush');
    await expect(call).rejects.toMatchObject({ operation: 'PUT /v1/things/{id}/parts/x' });
  });

  it('is sent at once, by a user inside or outside a workspace', async () => {
    await using server = await startScriptedServer(json({}));
    const user = userClient(server);
    await Promise.all([user.request('GET', '/v1/me'), user.workspace('wsp_7').request('GET', '/v1/events')]);
    const named = server.requests.map(({ url, headers }) => [url, headers['service-workspace-id']]);
    expect(named.toSorted()).toEqual([
      ['/v1/events', 'wsp_7'],
      ['/v1/me', undefined],
    ]);
  });

  it.each([text('', 204), text('', 200)])('returns undefined if the response is empty', async (step) => {
    await using server = await startScriptedServer(step);
    expect(await apiKeyClient(server).request('DELETE', '/v1/exports/exp_1')).toBeUndefined();
  });

  it('returns a list, and follows its page URL', async () => {
    await using server = await startScriptedServer(page([1], '/v1/exports?page=b'), page([2]));
    const svc = createClient({ apiKey: API_KEY, baseUrl: server.url });
    const first = (await svc.request('GET', '/v1/exports')) as { nextPageUrl: string };
    expect(await svc.request('GET', first.nextPageUrl)).toMatchObject({ data: [2] });
    expect(server.requests.map(({ url }) => url)).toEqual(['/v1/exports', '/v1/exports?page=b']);
  });

  it.each([
    ...['/v1/workspaces/..', '/v1/workspaces/../admin', '/v1/workspaces/%2e%2E/admin', '/v1/./workspaces'],
    ...['/v1/workspaces/', '/v1//workspaces', '/v1/workspaces\\..\\x', '/v1/a b', '/v1/.\t./x', '', 'v1/me'],
    ...['//evil.example/v1/me', 'https://evil.example/v1/me'],
  ])('is refused for the path %j before anything is sent', async (path) => {
    await using server = await startScriptedServer(json({}));
    await expect(apiKeyClient(server).request('GET', path)).rejects.toMatchObject({ name: 'UsageError', attempts: 0 });
    expect(server.requests).toEqual([]);
  });

  it.each(['GET', 'get'])(
    'is refused before anything is sent if its method is %s and it has a body',
    async (method) => {
      await using server = await startScriptedServer(json({}));
      const call = apiKeyClient(server).request(method as 'GET', '/v1/exports', { body: {} });
      await expect(call).rejects.toMatchObject({ name: 'UsageError', message: 'GET has no body', attempts: 0 });
      expect(server.requests).toEqual([]);
    },
  );

  it.each([
    ['/v1/events', { query: 'type=webhook.ping' }, 'query must be an object'],
    ['/v1/events', { query: new URLSearchParams({ type: 'webhook.ping' }) }, 'query must be an object'],
    [undefined, {}, /^The URL is not on /],
  ])(
    'is rejected, and not sent, in untyped code with the path %j and the options %o',
    async (path, options, message) => {
      await using server = await startScriptedServer(json({}));
      const sent = apiKeyClient(server).request('GET', path as never, options as never);
      await expect(sent).rejects.toMatchObject({
        name: 'UsageError',
        message: typeof message === 'string' ? message : expect.stringMatching(message),
      });
      expect(server.requests).toEqual([]);
    },
  );

  it('has no query if untyped code passes null', async () => {
    await using server = await startScriptedServer(json({}));
    await apiKeyClient(server).request('GET', '/v1/events', { query: null as never });
    expect(server.requests[0]?.url).toBe('/v1/events');
  });

  it('is accepted for paths that only look like these', async () => {
    await using server = await startScriptedServer(json({}));
    const paths = ['/v1/things/..a', '/v1/things/a..', '/v1/things?next=/../x', '/v1/things/%2F', '/v1/.well-known'];
    for (const path of paths) await apiKeyClient(server).request('GET', path);
    expect(server.requests.map(({ url }) => url)).toEqual(paths);
  });
});

describe('the user agent', () => {
  it('names the package, its version and the runtime', async () => {
    await using server = await startScriptedServer(json({}));
    await apiKeyClient(server).me.retrieve();
    const runtime = `Node.js/${process.versions.node.split('.')[0]}`;
    expect(server.requests[0]?.headers['user-agent']).toBe(`svc-client/source ${runtime}`);
  });

  it('can be set by the caller', async () => {
    await using server = await startScriptedServer(json({}));
    await apiKeyClient(server).me.retrieve({ headers: { 'User-Agent': 'acme/1' } });
    expect(server.requests[0]?.headers['user-agent']).toBe('acme/1');
  });

  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0', null],
    ['Cloudflare-Workers', 'svc-client/source Cloudflare-Workers'],
    [undefined, 'svc-client/source'],
  ])('is not set in browsers, and names every other runtime: %j', async (userAgent, expected) => {
    let sent: string | null | undefined;
    const fetch = async (_: string, init: { headers: Record<string, string> }) => {
      sent = new Headers(init.headers).get('user-agent');
      return Response.json({});
    };
    const runtime = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    Object.defineProperty(globalThis, 'navigator', { value: userAgent && { userAgent }, configurable: true });
    try {
      await createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch }).me.retrieve();
    } finally {
      Object.defineProperty(globalThis, 'navigator', runtime ?? {});
    }
    expect(sent).toBe(expected);
  });
});
