import { describe, expect, it, vi } from 'vitest';
import { schemas } from '../src/schemas.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { cutOff, hangUp, json, refusal, silence, text } from './support/steps.ts';

const now = { 'retry-after': '0' };
const good = json({ workspace: { id: 'wsp_1' }, endpoint: {}, secret: { id: 'whs_1' } });

describe('a failed attempt', () => {
  it.each([
    ['429', refusal(429, 'RATE_LIMITED', now)],
    ['408', refusal(408, 'HTTP_408', now)],
    ['500', refusal(500, 'INTERNAL', now)],
    ['502', refusal(502, 'HTTP_502', now)],
    ['503', refusal(503, 'UNAVAILABLE', now)],
    ['504', refusal(504, 'HTTP_504', now)],
    ['a connection that is closed', hangUp],
    ['a body that is cut off', cutOff],
    ['a time-out', silence],
  ])('is retried after %s if that is safe', async (_, step) => {
    await using server = await startScriptedServer(step, good);
    const svc = apiKeyClient(server, { timeoutMs: 1000 });
    await svc.workspaces.retrieve('wsp_1');
    expect(server.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 405, 409, 413, 414, 415, 431, 501, 302])('is final after %i', async (status) => {
    await using server = await startScriptedServer(refusal(status, 'ANY', now), good);
    await expect(apiKeyClient(server).workspaces.retrieve('wsp_1')).rejects.toMatchObject({ status, attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  it('is final if there are no retries', async () => {
    await using server = await startScriptedServer(refusal(503, 'UNAVAILABLE', now), good);
    const call = apiKeyClient(server).workspaces.retrieve('wsp_1', { maxRetries: 0 });
    await expect(call).rejects.toMatchObject({ code: 'UNAVAILABLE', attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['500', refusal(500, 'INTERNAL', now), 1],
    ['a body that is cut off', cutOff, 1],
    ['a connection that is closed', hangUp, 1],
    ['a time-out', silence, 1],
    ['429', refusal(429, 'RATE_LIMITED', now), 2],
  ])('of a POST is retried only if it certainly had no effect: after %s', async (_, step, count) => {
    await using server = await startScriptedServer(step, good);
    await apiKeyClient(server, { timeoutMs: 1000 })
      .webhooks.endpoints.rotateSecret('whe_1')
      .catch(() => {});
    expect(server.requests).toHaveLength(count);
  });

  it('of a DELETE may have succeeded: a 404 after it counts as done', async () => {
    await using server = await startScriptedServer(refusal(503, 'UNAVAILABLE', now), refusal(404, 'NOT_FOUND'));
    expect(await apiKeyClient(server).webhooks.endpoints.delete('whe_1')).toBeUndefined();
    await using limited = await startScriptedServer(refusal(429, 'RATE_LIMITED', now), refusal(404, 'NOT_FOUND'));
    await expect(apiKeyClient(limited).webhooks.endpoints.delete('whe_1')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['the error of the service', refusal(404, 'NOT_FOUND')],
    ['a page of a gateway', text('<h1>Not found', 404)],
    ['nothing', text('', 404)],
  ])('of a DELETE may have succeeded: the 404 may differ from a 2xx answer and contain %s', async (_, step) => {
    for (const onInvalid of ['throw', 'warn'] as const) {
      await using server = await startScriptedServer(refusal(503, 'UNAVAILABLE', now), step);
      const warn = vi.fn();
      const svc = apiKeyClient(server, { validate: { schemas, onInvalid }, logger: { warn } });
      expect(await svc.webhooks.endpoints.delete('whe_1').withResponse()).toMatchObject({
        data: undefined,
        status: 404,
        attempts: 2,
      });
      expect(warn).not.toHaveBeenCalled();
    }
  });
});
