import { describe, expect, it, vi } from 'vitest';
import { createClient, type Middleware } from '../src/index.ts';
import { API_KEY, apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, refusal } from './support/steps.ts';

const identity = { credential: { id: 'key_1' } };

describe('a middleware', () => {
  it('wraps each attempt, with the first of several outermost', async () => {
    await using server = await startScriptedServer(refusal(503, 'UNAVAILABLE', { 'retry-after': '0' }), json(identity));
    const log: string[] = [];
    const named =
      (name: string): Middleware =>
      async (request, next, { operation, attempt }) => {
        log.push(`${name} ${operation} ${attempt}`);
        const response = await next(request);
        log.push(`${name} ${response.status}`);
        return response;
      };
    await apiKeyClient(server, { middleware: [named('a'), named('b')] }).me.retrieve();
    expect(log).toEqual([
      ...['a GET /v1/me 1', 'b GET /v1/me 1', 'b 503', 'a 503'],
      ...['a GET /v1/me 2', 'b GET /v1/me 2', 'b 200', 'a 200'],
    ]);
  });

  it('may change the request', async () => {
    await using server = await startScriptedServer(json({ workspace: {} }));
    const change: Middleware = async (request, next) => {
      const headers = new Headers(request.headers);
      headers.set('x-signed', `${(await request.clone().text()).length}`);
      return next(new Request(request, { headers }));
    };
    await apiKeyClient(server, { middleware: [change] }).workspaces.update('wsp_1', { name: 'A' });
    expect(server.requests[0]).toMatchObject({ method: 'PATCH', body: '{"name":"A"}', headers: { 'x-signed': '12' } });
  });

  it('may resend a request with a body', async () => {
    await using server = await startScriptedServer(refusal(401, 'UNAUTHENTICATED'), json({ workspace: {} }));
    const twice: Middleware = async (request, next) => {
      const response = await next(request);
      return response.status === 401 ? next(request) : response;
    };
    await apiKeyClient(server, { middleware: [twice] }).workspaces.update('wsp_1', { name: 'A' });
    expect(server.requests.map((request) => request.body)).toEqual(['{"name":"A"}', '{"name":"A"}']);
  });

  it('gets an error that suggests a clone if it reads the body of the response, and the request is sent once', async () => {
    await using server = await startScriptedServer(json(identity), json(identity));
    const read: Middleware = async (request, next) => {
      const response = await next(request);
      await response.text();
      return response;
    };
    const call = apiKeyClient(server, { middleware: [read] }).me.retrieve();
    await expect(call).rejects.toMatchObject({ name: 'UsageError', message: expect.stringMatching(/clone/) });
    expect(server.requests).toHaveLength(1);
  });

  it('gets an error that suggests a clone if it reads the body and then sends the request', async () => {
    await using server = await startScriptedServer(json({ workspace: {} }));
    const reading: Middleware = async (request, next) => {
      await request.text();
      return next(request);
    };
    const call = apiKeyClient(server, { middleware: [reading] }).workspaces.update('wsp_1', { name: 'A' });
    await expect(call).rejects.toMatchObject({ name: 'UsageError', message: expect.stringMatching(/clone/) });
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'ok'],
    ['data', { credential: {} }],
    ['an axios response', { status: 200, data: {}, headers: {} }],
  ])('gets an error if it or fetch returns %s, and nothing is sent again', async (_, given) => {
    const fetch = vi.fn(async () => given as never);
    const middleware: Middleware[] = [async (request, next) => (await next(request)).clone()];
    const options = { apiKey: API_KEY, baseUrl: 'https://a.example', fetch };
    const error = { name: 'UsageError', message: 'fetch returned no Response', attempts: 1 };
    await expect(createClient(options).me.retrieve()).rejects.toMatchObject(error);
    await expect(createClient({ ...options, middleware }).me.retrieve()).rejects.toMatchObject(error);
    expect(fetch).toHaveBeenCalledTimes(2);
    await expect(createClient({ ...options, middleware: [fetch] }).me.retrieve()).rejects.toMatchObject({
      ...error,
      message: 'middleware[0] returned no Response: return the result of next()',
    });
  });

  it('is named in an error if it does not return the response, and the error says that the request was sent', async () => {
    await using server = await startScriptedServer(json({ endpoint: {}, secret: {} }, 201));
    const passing: Middleware = (request, next) => next(request);
    const forgetful: Middleware = async (request, next) => void (await next(request)) as never;
    const svc = apiKeyClient(server, { middleware: [passing, forgetful, passing] });
    const body = { url: 'https://b.example', subscribedEvents: ['*'] };
    await expect(svc.webhooks.endpoints.create(body)).rejects.toMatchObject({
      name: 'UsageError',
      message: 'middleware[1] returned no Response: return the result of next(). The request was sent',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('may respond without sending', async () => {
    await using server = await startScriptedServer(json(identity));
    const cached: Middleware = async () => Response.json({ credential: { id: 'key_cached' } });
    expect(await apiKeyClient(server, { middleware: [cached] }).me.retrieve()).toEqual({
      credential: { id: 'key_cached' },
    });
    expect(server.requests).toEqual([]);
  });

  it('never sees the credential, before or after', async () => {
    await using server = await startScriptedServer(json(identity));
    const seen: Request[] = [];
    const spy: Middleware = async (request, next) => {
      seen.push(request);
      return next(request);
    };
    await apiKeyClient(server, { middleware: [spy] }).me.retrieve();
    expect(seen[0]?.headers.get('authorization')).toBeNull();
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${API_KEY}`);
  });

  it('cannot send the credential to another origin', async () => {
    await using other = await startScriptedServer(json(identity));
    await using server = await startScriptedServer(json(identity));
    const elsewhere: Middleware = (request, next) => next(new Request(`${other.url}/v1/me`, request));
    const call = apiKeyClient(server, { middleware: [elsewhere] }).me.retrieve();
    await expect(call).rejects.toMatchObject({ name: 'UsageError' });
    expect(other.requests).toEqual([]);
  });

  it.each([new RangeError('mine'), new TypeError('fetch failed')])(
    'may throw %s, which reaches the caller unchanged without a retry',
    async (mine) => {
      await using server = await startScriptedServer(json(identity));
      let attempts = 0;
      const failing: Middleware = async () => {
        attempts++;
        throw mine;
      };
      expect(
        await apiKeyClient(server, { middleware: [failing] })
          .me.retrieve()
          .catch((error: unknown) => error),
      ).toBe(mine);
      expect(attempts).toBe(1);
    },
  );
});
