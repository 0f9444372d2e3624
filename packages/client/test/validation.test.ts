import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { schemas } from '../src/schemas.ts';
import { fixtures } from '../src/testing.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page } from './support/steps.ts';

const good = { ...fixtures.webhookDeliveryDetail(), status: 'added_later', addedLater: true };
const bad = { ...good, attempt: 'many' };

describe('validation', () => {
  it('is off by default', async () => {
    await using server = await startScriptedServer(json({ delivery: bad }));
    expect(await apiKeyClient(server).webhooks.deliveries.retrieve('whd_1')).toEqual(bad);
  });

  it('is off with `validate: false` in JavaScript, so that the response is not lost', async () => {
    await using server = await startScriptedServer(json({ delivery: bad }));
    const svc = apiKeyClient(server, { validate: false as never });
    expect(await svc.webhooks.deliveries.retrieve('whd_1')).toEqual(bad);
  });

  it('lets unknown fields and unknown enum members pass, and keeps them', async () => {
    await using server = await startScriptedServer(json({ delivery: good }));
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    expect(await svc.webhooks.deliveries.retrieve('whd_1')).toEqual(good);
  });

  it('throws a ResponseError with the issues', async () => {
    await using server = await startScriptedServer(json({ delivery: bad }));
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    await expect(svc.webhooks.deliveries.retrieve('whd_1')).rejects.toMatchObject({
      name: 'ResponseError',
      issues: [{ path: ['delivery', 'attempt'] }],
      requestId: 'req_test',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('keeps the first three issues, so that the error of a wrong page prints less than 3 KB', async () => {
    const wrong = fixtures.webhookDelivery({ eventType: 7 as never });
    await using server = await startScriptedServer(page(Array(100).fill(wrong)));
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    const error = await svc.webhooks.deliveries.list().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ issues: [0, 1, 2].map((index) => ({ path: ['data', index, 'eventType'] })) });
    expect(inspect(error, { depth: 5 }).length).toBeLessThan(3000);
  });

  it('only warns by default, and returns the data unchanged', async () => {
    await using server = await startScriptedServer(json({ delivery: bad }));
    const warn = vi.fn();
    const svc = apiKeyClient(server, { validate: { schemas }, logger: { warn } });
    expect(await svc.webhooks.deliveries.retrieve('whd_1')).toEqual(bad);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'The response failed validation',
      expect.objectContaining({ operation: 'GET /v1/webhooks/deliveries/{deliveryId}' }),
    );
  });

  it('accepts the forms that another implementation may send', async () => {
    const { description: _description, ...endpoint } = fixtures.webhookEndpoint({
      createdAt: '2026-03-01T09:30:00+00:00',
      updatedAt: '2026-03-01T09:30Z',
    });
    const {
      requestBody: _body,
      nextAttemptAt: _next,
      ...delivery
    } = fixtures.webhookDeliveryDetail({ eventId: 'ping-7' });
    await using server = await startScriptedServer(
      json({ data: [endpoint], nextPageUrl: '/v1/webhooks/endpoints?page=b', previousPageUrl: null }),
      json({ data: [], nextPageUrl: null, previousPageUrl: '/v1/webhooks/endpoints?page=a' }),
      json({ delivery }),
    );
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    expect(await svc.webhooks.endpoints.list().collect({ limit: 2 })).toEqual([endpoint]);
    expect(await svc.webhooks.deliveries.retrieve('whd_1')).toEqual(delivery);
  });

  it('rejects forms that no implementation may send', async () => {
    const bad = { id: 'whe_', createdAt: '2026-03-01T09:30:00+02:00', updatedAt: '2026-02-30T09:30Z' } as const;
    await using server = await startScriptedServer(json({ endpoint: fixtures.webhookEndpoint(bad) }));
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    await expect(svc.webhooks.endpoints.retrieve('whe_1')).rejects.toMatchObject({
      issues: [{ path: ['endpoint', 'id'] }, { path: ['endpoint', 'createdAt'] }, { path: ['endpoint', 'updatedAt'] }],
    });
  });

  it('covers pages', async () => {
    await using server = await startScriptedServer(
      json({ data: [fixtures.event()], nextPageUrl: 7, previousPageUrl: null }),
    );
    const svc = apiKeyClient(server, { validate: { schemas, onInvalid: 'throw' } });
    await expect(svc.events.list()).rejects.toMatchObject({ issues: [{ path: ['nextPageUrl'] }] });
  });
});
