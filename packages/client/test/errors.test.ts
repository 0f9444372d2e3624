import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError, isApiError, isServiceError, NetworkError, ServiceError } from '../src/index.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, refusal, text } from './support/steps.ts';

describe('errors (service document, "Errors")', () => {
  it('an answer that is not 2xx is an ApiError with what it tells', async () => {
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

  it('is recognised by its code, and from another copy of the package', () => {
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

  it("tells of an error answer that is not the service's by its status", async () => {
    await using server = await startScriptedServer(text('<h1>Bad gateway</h1>', 403, { 'content-type': 'text/html' }));
    await expect(apiKeyClient(server).me.retrieve()).rejects.toMatchObject({
      name: 'ApiError',
      status: 403,
      code: 'HTTP_403',
      message: 'Status 403',
      requestId: null,
    });
  });

  it.each([
    ['HTML', text('<html></html>')],
    ['an empty body', text('')],
    ['204', text('', 204)],
    ['another shape', json({ data: 1 })],
    ['no object', json(7)],
  ])('an answer that succeeds with %s is a ResponseError', async (_, step) => {
    await using server = await startScriptedServer(step);
    await expect(apiKeyClient(server).workspaces.retrieve('wsp_1')).rejects.toMatchObject({
      name: 'ResponseError',
      code: 'RESPONSE',
      operation: 'GET /v1/workspaces/{workspaceId}',
      attempts: 1,
    });
  });

  it('a delete is done with any answer that succeeds', async () => {
    for (const step of [json({ ok: true }), text('', 204), text('fine')]) {
      await using server = await startScriptedServer(step);
      expect(await apiKeyClient(server).webhooks.endpoints.delete('whe_1')).toBeUndefined();
    }
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
});
