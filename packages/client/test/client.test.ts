import { describe, expect, it, vi } from 'vitest';
import { type ApiKeyClientOptions, createClient, UsageError } from '../src/index.ts';
import { ACCESS_TOKEN, API_KEY, apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page, refusal } from './support/steps.ts';

const workspace = { id: 'wsp_1', name: 'Acme' };

describe('createClient', () => {
  it('sends the credential as a bearer token', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    await apiKeyClient(server).workspaces.retrieve('wsp_1');
    await userClient(server).workspaces.retrieve('wsp_1');
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      `Bearer ${API_KEY}`,
      `Bearer ${ACCESS_TOKEN}`,
    ]);
  });

  it('calls a credential function again for each attempt', async () => {
    await using server = await startScriptedServer(
      refusal(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      json({ workspace }),
    );
    let asked = 0;
    const svc = createClient({ apiKey: async () => `svc_sk_${++asked}`, baseUrl: server.url });
    await svc.workspaces.retrieve('wsp_1');
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer svc_sk_1',
      'Bearer svc_sk_2',
    ]);
  });

  it.each([
    [undefined, 'is missing or empty'],
    [null, 'is missing or empty'],
    ['', 'is missing or empty'],
    ['a b', 'contains white space'],
    ['svc_pat_1', 'starts with svc_pat_: pass it as accessToken'],
    [7, 'must be a string'],
    [{ toString: () => 'svc_sk_1' }, 'must be a string'],
  ])('refuses %j from a credential function', async (given, problem) => {
    await using server = await startScriptedServer(json({ workspace }));
    const svc = createClient({ apiKey: () => given as string, baseUrl: server.url });
    await expect(svc.workspaces.retrieve('wsp_1')).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`apiKey ${problem}`),
    });
    expect(server.requests).toEqual([]);
  });

  it('keeps a path in the base URL', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    await createClient({ apiKey: API_KEY, baseUrl: `${server.url}/gateway/` }).workspaces.retrieve('wsp_1');
    expect(server.requests[0]?.url).toBe('/gateway/v1/workspaces/wsp_1');
  });

  it.each([
    ['both credentials', { apiKey: 'svc_sk_1', accessToken: 'svc_pat_1', baseUrl: 'https://a.example' }],
    ['a negative limit', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', maxRetries: -1 }],
    ['an unknown rateLimit', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', rateLimit: 'fast' }],
    ['two functions', { apiKey: () => 'a', accessToken: () => 'b', baseUrl: 'https://a.example' }],
    ['middleware that is not an array', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', middleware: 5 }],
    ['middleware that is not a function', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', middleware: ['log'] }],
    ['a fetch that is not a function', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch: {} }],
    ['validation without schemas', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', validate: true }],
    ['a limit that is not a number', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', timeoutMs: Number.NaN }],
  ])('refuses %s', (_, options) => {
    expect(() => createClient(options as Parameters<typeof createClient>[0])).toThrow(UsageError);
  });

  it.each([
    ['no credential', { baseUrl: 'https://a.example' }],
    ['a token as a key', { apiKey: 'svc_pat_1', baseUrl: 'https://a.example' }],
    ['a key as a token', { accessToken: 'svc_sk_1', baseUrl: 'https://a.example' }],
    ['no base URL', { apiKey: 'svc_sk_1' }],
    ['a relative base URL', { apiKey: 'svc_sk_1', baseUrl: '/api' }],
    ['user info in the base URL', { apiKey: 'svc_sk_1', baseUrl: 'https://u:p@a.example' }],
    ['user info without a name in the base URL', { apiKey: 'svc_sk_1', baseUrl: 'https://:p@a.example' }],
    ['a query in the base URL', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example?tenant=1' }],
    ['a base URL that ends in /v1', { apiKey: 'svc_sk_1', baseUrl: 'https://a.example/v1/' }],
    ['a key that is a symbol', { apiKey: Symbol('x'), baseUrl: 'https://a.example' }],
    ['a key that is not a string', { apiKey: Object.create(null), baseUrl: 'https://a.example' }],
    ['a key that is not a valid header value', { apiKey: 'a b', baseUrl: 'https://a.example' }],
    ['no options', undefined],
    ['null', null],
  ])('refuses %s at the first call, and sends nothing', async (_, options) => {
    const fetch = vi.fn();
    const svc = createClient((options && { ...options, fetch }) as ApiKeyClientOptions);
    await expect(svc.me.retrieve()).rejects.toMatchObject({ name: 'UsageError', operation: 'GET /v1/me' });
    await expect(svc.request('GET', '/v1/me')).rejects.toThrow(UsageError);
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each([
    [{ middleware: [async () => {}, 'log'] }, 'middleware[1] must be a function'],
    [{ fetch: 'undici' }, 'fetch must be a function'],
    [{ validate: true }, 'Pass validate.schemas: see @svc/client/schemas'],
    [{ rateLimit: 'fast' }, 'Unknown rateLimit fast: did you mean react, pace, off?'],
    [{ timeoutMs: Number.NaN }, 'timeoutMs must be a number, 0 or more'],
    [{ deadlineMs: '500' }, 'deadlineMs must be a number, 0 or more'],
    [{ maxRetries: '' }, 'maxRetries must be a number, 0 or more'],
  ])('says what is wrong with %j', (options, message) => {
    const given = { apiKey: 'svc_sk_1', baseUrl: 'https://a.example', ...options } as ApiKeyClientOptions;
    expect(() => createClient(given)).toThrow(new UsageError(message));
  });

  const notAnAddress = 'baseUrl must be an http or https URL without user info, query or fragment';
  it.each([
    ['a.example', notAnAddress],
    ['ftp://a.example', notAnAddress],
    ['https://u:p@a.example', notAnAddress],
    ['https://a.example?q=1', notAnAddress],
    ['https://a.example/#top', notAnAddress],
    ['https://a.example/v1', 'baseUrl must not end in /v1'],
    ['', 'Pass baseUrl, or set SVC_BASE_URL'],
  ])('says at the first call what is wrong with the baseUrl %j', async (baseUrl, message) => {
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl });
    await expect(svc.events.list()).rejects.toMatchObject({ name: 'UsageError', message });
  });

  it('accepts a base URL whose path only looks like /v1', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    await createClient({ apiKey: API_KEY, baseUrl: `${server.url}/api-v1` }).workspaces.retrieve('wsp_1');
    expect(server.requests[0]?.url).toBe('/api-v1/v1/workspaces/wsp_1');
  });

  it.each(['react', 'pace', 'off', undefined] as const)('accepts %j as rateLimit', (rateLimit) => {
    apiKeyClient({ url: 'https://a.example' }, { rateLimit });
  });

  it('has only the methods that the kind of credential allows', () => {
    const server = { url: 'https://a.example' };
    expect(Object.keys(apiKeyClient(server)).sort()).toEqual([
      'close',
      'events',
      'follow',
      'me',
      'request',
      'search',
      'webhooks',
      'withOptions',
      'workspaces',
    ]);
    expect(Object.keys(apiKeyClient(server).workspaces)).toEqual(['retrieve', 'update']);
    expect(Object.keys(userClient(server)).sort()).toEqual([
      'close',
      'me',
      'organizations',
      'request',
      'withOptions',
      'workspace',
      'workspaces',
    ]);
  });
});

describe('a user inside one workspace (service document, "Authentication", rule 3)', () => {
  it('names the workspace in Service-Workspace-Id', async () => {
    await using server = await startScriptedServer(page([]));
    const user = userClient(server);
    await user.workspace('wsp_7').events.list();
    await user.workspaces.list();
    expect(server.requests.map((request) => request.headers['service-workspace-id'])).toEqual(['wsp_7', undefined]);
  });

  it('retrieves and updates that workspace', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    const inside = userClient(server).workspace('wsp_7');
    expect([await inside.retrieve({ maxRetries: 0 }), await inside.update({ name: 'Acme' })]).toEqual([
      workspace,
      workspace,
    ]);
    const sent = server.requests.map(({ method, url, body, headers }) => [
      method,
      url,
      body,
      headers['service-workspace-id'],
    ]);
    expect(sent).toEqual([
      ['GET', '/v1/workspaces/wsp_7', '', 'wsp_7'],
      ['PATCH', '/v1/workspaces/wsp_7', '{"name":"Acme"}', 'wsp_7'],
    ]);
  });

  it.each(['Service-Workspace-Id', 'service-workspace-id'])(
    'can name the workspace with the header %s, but an API key cannot',
    async (name) => {
      await using server = await startScriptedServer(json({ credential: {} }));
      await userClient(server).me.retrieve({ headers: { [name]: 'wsp_7' } });
      const call = apiKeyClient(server).me.retrieve({ headers: { [name]: 'wsp_7' } });
      await expect(call).rejects.toMatchObject({
        name: 'UsageError',
        message: expect.stringMatching(/cannot set Service-Workspace-Id/),
      });
      expect(server.requests.map((request) => request.headers['service-workspace-id'])).toEqual(['wsp_7']);
    },
  );

  it('refuses a string that is not an id', () => {
    expect(() => userClient({ url: 'https://a.example' }).workspace('wsp_/..')).toThrow(UsageError);
  });
});

describe('closing a client', () => {
  it('aborts running calls, and refuses later ones', async () => {
    await using server = await startScriptedServer(() => {});
    const svc = apiKeyClient(server);
    const call = svc.me.retrieve();
    const outcome = expect(call).rejects.toMatchObject({ name: 'AbortedError' });
    svc.close();
    await outcome;
    await expect(svc.me.retrieve()).rejects.toMatchObject({ name: 'AbortedError', attempts: 0 });
  });

  it('happens at the end of `await using`', async () => {
    await using server = await startScriptedServer(() => {});
    let outcome: Promise<unknown>;
    {
      await using svc = apiKeyClient(server);
      outcome = svc.webhooks.endpoints.delete('whe_1').catch((error: unknown) => error);
    }
    expect(await outcome).toMatchObject({ name: 'AbortedError' });
  });
});
