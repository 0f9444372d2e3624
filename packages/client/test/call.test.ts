import { gzipSync } from 'node:zlib';
import * as undici from 'undici';
import { describe, expect, it, vi } from 'vitest';
import { type ApiKeyClient, createClient, type FetchedResponse } from '../src/index.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page, refusal, text } from './support/steps.ts';

const workspace = { id: 'wsp_1', name: 'Acme', addedLater: true };

describe('a call', () => {
  it('that reads is sent immediately, and once', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    const call = apiKeyClient(server).workspaces.retrieve('wsp_1');
    await expect.poll(() => server.requests.length).toBe(1);
    expect(await Promise.all([call, call, call.withResponse().then(({ data }) => data)])).toEqual([
      workspace,
      workspace,
      workspace,
    ]);
    expect(server.requests).toHaveLength(1);
  });

  it('runs at the same time as one that starts after it', async () => {
    const answers: (() => void)[] = [];
    await using server = await startScriptedServer((response, request, origin) => {
      answers.push(() => json({ workspace })(response, request, origin));
    });
    const { workspaces } = apiKeyClient(server);
    const calls = [workspaces.retrieve('wsp_1'), workspaces.retrieve('wsp_2')];
    await expect.poll(() => answers.length).toBe(2);
    for (const answer of answers) answer();
    for (const call of calls) expect(await call).toEqual(workspace);
  });

  it.each([
    ['reads', 'leaves no', 0, (svc: ApiKeyClient) => svc.workspaces.retrieve('wsp_1')],
    ['writes', 'leaves an', 1, (svc: ApiKeyClient) => svc.workspaces.update('wsp_1', {})],
  ])('that %s and fails before it is awaited %s unhandled rejection', async (_, __, count, call) => {
    await using server = await startScriptedServer(refusal(404, 'NOT_FOUND'));
    const unhandled = vi.fn();
    const listeners = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', unhandled);
    const settled = Promise.withResolvers<void>();
    const svc = apiKeyClient(server, { logger: { debug: (message) => message === 'attempted' && settled.resolve() } });
    const started = call(svc);
    await settled.promise;
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    process.removeAllListeners('unhandledRejection');
    for (const listener of listeners) process.on('unhandledRejection', listener);
    expect(unhandled).toHaveBeenCalledTimes(count);
    await expect(started).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('that writes is sent immediately', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    const call = apiKeyClient(server).workspaces.update('wsp_1', { name: 'Acme' });
    await expect.poll(() => server.requests.length).toBe(1);
    expect(server.requests[0]?.body).toBe('{"name":"Acme"}');
    await call;
    expect(server.requests).toHaveLength(1);
  });

  it('is a promise', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    const { workspaces } = apiKeyClient(server);
    const promise: Promise<unknown> = workspaces.retrieve('wsp_1');
    expect(await promise.finally(() => {})).toEqual(workspace);
    expect(await workspaces.retrieve('' as 'wsp_').catch(({ code }) => code)).toBe('USAGE');
  });

  it('returns the response with the data', async () => {
    await using server = await startScriptedServer(
      refusal(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      json({ workspace }),
    );
    const { data, headers, ...others } = await apiKeyClient(server).workspaces.retrieve('wsp_1').withResponse();
    expect(data).toEqual(workspace);
    expect(headers.get('content-type')).toBe('application/json');
    expect(others).toEqual({ status: 200, requestId: 'req_test', attempts: 2, rateLimit: null });
  });

  it('returns the raw response, even if it is not JSON', async () => {
    await using server = await startScriptedServer(text('<p>', 200, { 'x-from': 'proxy' }));
    const response = await apiKeyClient(server).workspaces.retrieve('wsp_1').asResponse();
    expect(response).toBeInstanceOf(Response);
    expect(response.headers.get('x-from')).toBe('proxy');
    expect(response.bodyUsed).toBe(false);
    expect(await response.text()).toBe('<p>');
  });

  it.each<[string, FetchedResponse['headers'], [string, string][]]>([
    ['can be listed', Object.freeze(new Headers({ 'x-from': 'proxy' })), [['x-from', 'proxy']]],
    ['can only be asked by name', { get: () => 'proxy' }, []],
  ])('returns the raw response if its headers %s', async (_, headers, copied) => {
    const fetch = async () => ({ status: 201, headers, text: async () => '{}' });
    const response = await createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch })
      .me.retrieve()
      .asResponse();
    response.headers.delete('content-type');
    expect([response.status, [...response.headers], await response.text()]).toEqual([201, copied, '{}']);
  });

  it('returns the raw response without the headers of the encoded body', async () => {
    const packed = gzipSync(JSON.stringify({ workspace }));
    await using server = await startScriptedServer((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length, etag: '"1"' }).end(packed),
    );
    const response = await apiKeyClient(server).workspaces.retrieve('wsp_1').asResponse();
    const { headers } = response;
    expect([headers.get('content-encoding'), headers.get('content-length'), headers.get('etag')]).toEqual([
      null,
      null,
      '"1"',
    ]);
    expect(await response.json()).toEqual({ workspace });
  });

  it('returns a page with its response', async () => {
    await using server = await startScriptedServer(page([workspace]));
    const { data, status } = await apiKeyClient(server).events.list().withResponse();
    expect([data.data, status]).toEqual([[workspace], 200]);
  });
});

describe('what is sent', () => {
  it("works with the fetch of another copy of undici, which refuses the runtime's Request", async () => {
    await using server = await startScriptedServer(json({ workspace }));
    const svc = apiKeyClient(server, { fetch: undici.fetch });
    expect(await svc.workspaces.update('wsp_1', { name: 'Acme' })).toEqual(workspace);
    const response = await svc.workspaces.retrieve('wsp_1').asResponse();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(server.requests[0]?.body).toBe('{"name":"Acme"}');
    await expect(undici.fetch(new Request(server.url) as never)).rejects.toThrow(TypeError);
  });

  it("includes the caller's headers, but they do not replace its own", async () => {
    await using server = await startScriptedServer(json({ workspace }));
    const headers = { 'X-Trace': 'abc', Authorization: 'Basic x', Accept: 'text/html' };
    await apiKeyClient(server).workspaces.retrieve('wsp_1', { headers });
    expect(server.requests[0]?.headers).toMatchObject({ 'x-trace': 'abc', accept: 'application/json' });
    expect(server.requests[0]?.headers.authorization).toMatch(/^Bearer svc_sk_/);
  });

  it('writes times in ISO 8601 and leaves out undefined values', async () => {
    await using server = await startScriptedServer(page([]));
    const createdFrom = new Date(Date.UTC(2026, 2, 1));
    await apiKeyClient(server).webhooks.deliveries.list({
      createdFrom,
      createdTo: '2026-03-02T00:00:00+01:00',
      status: undefined,
    });
    expect(server.requests[0]?.url).toBe(
      '/v1/webhooks/deliveries?createdFrom=2026-03-01T00%3A00%3A00.000Z&createdTo=2026-03-02T00%3A00%3A00%2B01%3A00',
    );
  });
});
