import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  type ApiKeyClient,
  createClient,
  type EventId,
  isApiError,
  isServiceError,
  NetworkError,
  ServiceError,
} from '../src/index.ts';
import { API_KEY, apiKeyClient, userClient } from './support/clients.ts';
import { type Step, startScriptedServer } from './support/scripted-server.ts';
import { hangUp, json, page, refusal, silence, text } from './support/steps.ts';

describe('errors (service document, "Errors")', () => {
  it('a response that is not 2xx is an ApiError with its details', async () => {
    await using server = await startScriptedServer(refusal(404, 'NOT_FOUND'));
    const error = await apiKeyClient(server)
      .events.retrieve('evt_1')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toBeInstanceOf(ServiceError);
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'ApiError',
      message: 'It is NOT_FOUND',
      operation: 'GET /v1/events/{eventId}',
      status: 404,
      code: 'NOT_FOUND',
      requestId: 'req_test',
      retryAfterMs: null,
      attempts: 1,
    });
    expect(inspect(error)).toMatch(/^ApiError: It is NOT_FOUND\n/);
  });

  it('an ApiError is recognised by its code, even from another copy of the package', () => {
    const fields = { status: 404, code: 'NOT_FOUND', requestId: null, retryAfterMs: null };
    const error = new ApiError('No such thing', fields);
    const foreign = Object.assign(new Error('No such thing'), fields, {
      [Symbol.for('@svc/client/error')]: 'ApiError',
    });
    for (const thrown of [error, foreign]) {
      expect(isServiceError(thrown)).toBe(true);
      expect(isApiError(thrown)).toBe(true);
      expect(isApiError(thrown, 'NOT_FOUND')).toBe(true);
      expect(isApiError(thrown, 'CONFLICT')).toBe(false);
    }
    for (const thrown of [new Error('x'), null, undefined, 'NOT_FOUND', fields]) expect(isApiError(thrown)).toBe(false);
    expect(isApiError(new NetworkError('x', { neverArrived: true }))).toBe(false);
  });

  it("an error response that is not the service's is described by its status", async () => {
    await using server = await startScriptedServer(text('<h1>Bad gateway</h1>', 403, { 'content-type': 'text/html' }));
    await expect(apiKeyClient(server).me.retrieve()).rejects.toMatchObject({
      name: 'ApiError',
      status: 403,
      code: 'HTTP_403',
      message: '403: text/html, Bad gateway',
      requestId: null,
    });
  });

  it.each([
    ['<html>\n<head><title>Bad\n Gateway</title><h1>Sorry</h1>', 'text/html;charset=utf-8', 'text/html, Bad Gateway'],
    ['<html><body>\n<h1>Bad Gateway</h1></body></html>', 'text/html', 'text/html, Bad Gateway'],
    ['<html></html>', 'text/html', 'text/html, no body'],
    ['x'.repeat(60), 'text/plain', `text/plain, ${'x'.repeat(60)}`],
    ['x'.repeat(100), 'text/plain', `text/plain, ${'x'.repeat(60)}…`],
    ['{"message":"Forbidden"}', 'application/json', 'application/json, {"message":"Forbidden"}'],
    ['', 'text/html', 'text/html, no body'],
    ['no route', undefined, 'no type, no route'],
  ])('the message says what a gateway sent: %j', async (body, type, said) => {
    await using server = await startScriptedServer(text(body, 502, type ? { 'content-type': type } : {}));
    await expect(apiKeyClient(server).me.retrieve({ maxRetries: 0 })).rejects.toMatchObject({
      code: 'HTTP_502',
      message: `502: ${said}`,
    });
  });

  it.each<[string, Step, (svc: ApiKeyClient) => PromiseLike<unknown>]>([
    ['an ApiError', refusal(403, 'FORBIDDEN', { via: API_KEY }), ({ events }) => events.list({ type: 'a' })],
    ['another ApiError', text(`<b>${API_KEY}`, 401, { via: API_KEY }), ({ events }) => events.list({ type: 'a' })],
    ['a ResponseError', text(`<b>${API_KEY}`, 200, { via: API_KEY }), ({ events }) => events.list({ type: 'a' })],
    [
      'another ResponseError',
      json({ data: API_KEY }, 200, { via: API_KEY }),
      ({ events }) => events.list({ type: 'a' }),
    ],
  ])('%s keeps what came, without the credential', async (_, step, call) => {
    await using server = await startScriptedServer(step);
    const error = await Promise.resolve(call(apiKeyClient(server))).catch((thrown: unknown) => thrown as ApiError);
    if (!(error instanceof ServiceError)) throw error;
    const { body, headers, url, contentType } = error as ApiError;
    expect(url).toBe(`${server.url}/v1/events`);
    expect(headers?.get('via')).toBe('[credential]');
    expect(contentType).toBe(headers?.get('content-type') ?? '');
    expect(body).toMatch(/FORBIDDEN|\[credential\]/);
    expect(Object.keys(error)).not.toEqual(expect.arrayContaining(['body']));
    expect(JSON.stringify(error)).not.toMatch(/"(body|headers|url|contentType)"/);
  });

  it('an error does not show a credential that the caller passed as an id', async () => {
    await using server = await startScriptedServer(refusal(404, 'NOT_FOUND'));
    const error: ApiError = await apiKeyClient(server)
      .workspaces.retrieve(API_KEY)
      .catch((thrown) => thrown);
    expect(error.url).toBe(`${server.url}/v1/workspaces/[credential]`);
    expect(inspect(error, { showHidden: true })).not.toContain(API_KEY);
  });

  it('an error keeps 500 characters of a body, and no part of a credential at their end', async () => {
    await using server = await startScriptedServer(text(`${'x'.repeat(490)}${API_KEY}${'y'.repeat(500)}`, 403));
    const error: ApiError = await apiKeyClient(server)
      .me.retrieve()
      .catch((thrown) => thrown);
    expect(error.body).toBe(`${'x'.repeat(490)}[credentia`);
  });

  it('a call that a 429 of another call holds back has the evidence of that 429', async () => {
    await using server = await startScriptedServer(refusal(429, 'RATE_LIMITED', { 'retry-after': '60' }));
    const svc = apiKeyClient(server, { maxRetries: 0 });
    await svc.me.retrieve().catch(() => {});
    const held: ApiError = await svc.events.list({}, { deadlineMs: 1000 }).then(
      () => expect.unreachable(),
      (thrown) => thrown,
    );
    expect(held).toMatchObject({ attempts: 0, url: `${server.url}/v1/me`, contentType: 'application/json' });
  });

  it.each([
    ['HTML', text('<html></html>')],
    ['an empty body', text('')],
    ['204', text('', 204)],
    ['another shape', json({ data: 1 })],
    ['no object', json(7)],
  ])('a successful answer with %s is a ResponseError', async (_, step) => {
    await using server = await startScriptedServer(step);
    await expect(apiKeyClient(server).workspaces.retrieve('wsp_1')).rejects.toMatchObject({
      name: 'ResponseError',
      code: 'RESPONSE',
      operation: 'GET /v1/workspaces/{workspaceId}',
      attempts: 1,
    });
  });

  it.each([json({ ok: true }), json({}), text('', 204), text('')])(
    'a delete succeeds with a response of the service and with an empty one',
    async (step) => {
      await using server = await startScriptedServer(step);
      expect(await apiKeyClient(server).webhooks.endpoints.delete('whe_1')).toBeUndefined();
    },
  );

  it.each([text('<h1>Please log in</h1>'), text('fine'), json('fine')])(
    "a delete fails with a response that is not the service's",
    async (step) => {
      await using server = await startScriptedServer(step);
      const call = apiKeyClient(server).webhooks.endpoints.delete('whe_1');
      await expect(call).rejects.toMatchObject({ name: 'ResponseError', status: 200 });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each<[string, Step, (svc: ApiKeyClient, origin: string) => PromiseLike<unknown>]>([
    ['an invalid id', json({}), ({ events }) => events.retrieve('' as EventId)],
    ['an unusable header', json({}), ({ events }) => events.retrieve('evt_1', { headers: { a: 'b\nc' } })],
    ['an invalid limit', json({}), ({ events }) => events.retrieve('evt_1', { timeoutMs: -1 })],
    ['an abort', json({}), ({ events }) => events.retrieve('evt_1', { signal: AbortSignal.abort() })],
    ['a time-out', silence, ({ events }) => events.retrieve('evt_1', { timeoutMs: 20, maxRetries: 0 })],
    ['a closed connection', hangUp, ({ events }) => events.retrieve('evt_1', { maxRetries: 0 })],
    ['a refusal', refusal(404, 'NOT_FOUND'), ({ events }) => events.retrieve('evt_1').asResponse()],
    ['no JSON', text('<p>'), ({ events }) => events.retrieve('evt_1').withResponse()],
  ])('the error after %s names its operation', async (_, step, call) => {
    await using server = await startScriptedServer(step);
    await expect(call(apiKeyClient(server), server.url)).rejects.toMatchObject({
      [Symbol.for('@svc/client/error')]: expect.any(String),
      operation: 'GET /v1/events/{eventId}',
    });
  });

  it.each<[string, Step, (svc: ApiKeyClient, origin: string) => PromiseLike<unknown>]>([
    ['a response that is not a page', json({ data: 1 }), ({ events }) => events.list()],
    ['a page that leads to itself', page([], '/v1/events'), async ({ events }) => (await events.list()).next()],
    ['a loop', page([], '/v1/events?page=b'), ({ events }) => events.list().first()],
    ['an invalid limit', json({}), ({ events }) => events.list().collect({ limit: 0 })],
    ['a page URL of another list', json({}), ({ events }, origin) => events.list.resume(`${origin}/v1/me`)],
  ])('the error after %s names the operation of its list', async (_, step, call) => {
    await using server = await startScriptedServer(step);
    await expect(call(apiKeyClient(server), server.url)).rejects.toMatchObject({
      [Symbol.for('@svc/client/error')]: expect.any(String),
      operation: 'GET /v1/events',
    });
  });

  it('an error outside of an operation does not name one', () => {
    for (const wrong of [
      () => createClient({ timeoutMs: -1 }),
      () => userClient({ url: 'http://a' }).workspace('' as 'wsp_'),
    ])
      expect(wrong).toThrow(expect.not.objectContaining({ operation: expect.anything() }));
  });

  it('a redirect is an error and is not followed', async () => {
    await using other = await startScriptedServer(json({}));
    await using server = await startScriptedServer(text('', 302, { location: other.url }));
    await expect(apiKeyClient(server).me.retrieve()).rejects.toMatchObject({
      name: 'ApiError',
      status: 302,
      code: 'HTTP_302',
    });
    expect(other.requests).toEqual([]);
  });

  it.each([
    ['https://login.example/sso?token=hush#x', ' to https://login.example'],
    ['//cdn.example/x', ' to https://cdn.example'],
    ['/elsewhere', ' to https://a.example'],
    ['https://[', ''],
    [undefined, ''],
  ])('the error of a redirect to %j names only the origin of the target', async (location, to) => {
    const headers: Record<string, string> = location === undefined ? {} : { location };
    const fetch = async () => new Response(null, { status: 301, headers });
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch });
    await expect(svc.me.retrieve()).rejects.toMatchObject({
      message: `Not following a redirect${to}: check baseUrl`,
    });
  });
});
