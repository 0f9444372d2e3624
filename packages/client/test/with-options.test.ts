import { describe, expect, it, vi } from 'vitest';
import { type ChangeableOptions, createClient, type Middleware } from '../src/index.ts';
import { API_KEY, apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page, refusal, silence } from './support/steps.ts';

const identity = json({ credential: {} });

describe('default headers', () => {
  it('are sent with each call, and the headers of a call replace them', async () => {
    await using server = await startScriptedServer(identity);
    const svc = apiKeyClient(server, { headers: { 'X-Team': 'a', 'X-App': 'b' } });
    await svc.me.retrieve();
    await svc.me.retrieve({ headers: { 'x-team': 'c' } });
    expect(server.requests.map(({ headers }) => [headers['x-team'], headers['x-app']])).toEqual([
      ['a', 'b'],
      ['c', 'b'],
    ]);
  });

  it('never replace what the client sends itself', async () => {
    await using server = await startScriptedServer(identity);
    await apiKeyClient(server, { headers: { authorization: 'Bearer other', accept: 'text/html' } }).me.retrieve();
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${API_KEY}`,
      accept: 'application/json',
    });
  });

  it.each([{ 'Service-Workspace-Id': 'wsp_1' }, { 'x-team': 'a\nb' }])(
    'are checked like those of a call: %j',
    async (headers) => {
      await using server = await startScriptedServer(identity);
      await expect(apiKeyClient(server, { headers }).me.retrieve()).rejects.toMatchObject({ name: 'UsageError' });
      expect(server.requests).toEqual([]);
    },
  );
});

describe('withOptions', () => {
  it('adds headers and replaces other options, and leaves the first client as it is', async () => {
    await using server = await startScriptedServer(refusal(503, 'UNAVAILABLE', { 'retry-after': '0' }));
    const tag: Middleware = (request, next) => next(new Request(request, { headers: { 'x-tag': '1' } }));
    const svc = apiKeyClient(server, { headers: { 'x-team': 'a', 'x-app': 'b' }, maxRetries: 1 });
    const other = svc.withOptions({ headers: { 'X-Team': 'c' }, maxRetries: 0 }).withOptions({ middleware: [] });
    await expect(other.me.retrieve()).rejects.toMatchObject({ attempts: 1 });
    await expect(svc.me.retrieve()).rejects.toMatchObject({ attempts: 2 });
    await expect(svc.withOptions({ middleware: [tag] }).me.retrieve()).rejects.toMatchObject({ attempts: 2 });
    const sent = server.requests.map(({ headers }) => [headers['x-team'], headers['x-app'], headers['x-tag']]);
    expect(sent).toEqual([
      ['c', 'b', undefined],
      ['a', 'b', undefined],
      ['a', 'b', undefined],
      [undefined, undefined, '1'],
      [undefined, undefined, '1'],
    ]);
  });

  it('keeps the kind of client, with its workspaces', async () => {
    await using server = await startScriptedServer(page([]));
    const user = userClient(server).withOptions({ headers: { 'x-team': 'a' } });
    await user.workspace('wsp_1').events.list();
    expect(server.requests[0]?.headers).toMatchObject({ 'x-team': 'a', 'service-workspace-id': 'wsp_1' });
  });

  it('shares the limits: a 429 of one client holds the other', async () => {
    await using server = await startScriptedServer(refusal(429, 'RATE_LIMITED', { 'retry-after': '60' }), identity);
    const svc = apiKeyClient(server);
    await svc.me.retrieve({ maxRetries: 0 }).catch(() => {});
    const call = svc.withOptions({ deadlineMs: 1000 }).me.retrieve();
    await expect(call).rejects.toMatchObject({ code: 'RATE_LIMITED', attempts: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([{ apiKey: 'svc_sk_2' }, { baseUrl: 'https://b.example' }, { rateLimit: 'off' }, { timeout: 1 }])(
    'refuses what clients share, and what is no option: %j',
    (options) => {
      const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example' });
      expect(() => svc.withOptions(options as ChangeableOptions)).toThrow(/^Unknown option /);
    },
  );

  it('refuses an invalid option', () => {
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example' });
    expect(() => svc.withOptions({ timeoutMs: -1 })).toThrow('timeoutMs must be a number, 0 or more');
  });

  it('makes a client whose end leaves the first one running', async () => {
    await using server = await startScriptedServer(silence, identity);
    const svc = apiKeyClient(server);
    const other = svc.withOptions({ maxRetries: 0 });
    const call = other.me.retrieve();
    const ended = expect(call).rejects.toMatchObject({ name: 'AbortedError' });
    await vi.waitUntil(() => server.requests.length === 1);
    other.close();
    await ended;
    await expect(other.me.retrieve()).rejects.toMatchObject({ name: 'AbortedError', attempts: 0 });
    expect(await svc.me.retrieve()).toEqual({ credential: {} });
  });

  it('makes a client that ends with the first one', async () => {
    await using server = await startScriptedServer(silence);
    const svc = apiKeyClient(server);
    const other = svc.withOptions({ maxRetries: 0 }).withOptions({});
    const call = other.me.retrieve();
    const ended = expect(call).rejects.toMatchObject({ name: 'AbortedError' });
    await vi.waitUntil(() => server.requests.length === 1);
    svc.close();
    await ended;
    await expect(other.me.retrieve()).rejects.toMatchObject({ name: 'AbortedError', attempts: 0 });
  });
});
