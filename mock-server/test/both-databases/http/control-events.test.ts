import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('POST /_control/events', () => {
  const cause = (body: unknown) => api.call('POST', '/_control/events', { body });

  test('stores the event, and the API returns exactly that event', async () => {
    const { status, body } = await cause({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' });
    expect(status).toBe(201);
    expect(body).toEqual({
      event: {
        id: expect.stringMatching(/^evt_/),
        type: 'lifecycle.evaluated',
        created: expect.any(String),
        subject: { id: demo.production.id, type: 'workspace', url: `/v1/workspaces/${demo.production.id}` },
      },
      deliveries: [],
    });
    const shown = await api.call('GET', `/v1/events/${body.event.id}`, { credential: demo.production.key });
    expect(shown.body).toEqual(body.event);
    const elsewhere = await api.call('GET', `/v1/events/${body.event.id}`, { credential: demo.staging.key });
    expect(elsewhere.status).toBe(404);
  });

  test('accepts several events at once, and stores none if one of them is invalid', async () => {
    const good = { workspaceId: demo.globex.id, type: 'lifecycle.evaluated' };
    expect((await cause({ events: [good, good] })).body.events).toHaveLength(2);
    const before = (await api.call('GET', '/v1/events', { credential: demo.globex.key })).body.data.length;
    expect((await cause({ events: [good, { ...good, workspaceId: 'wsp_unknown' }] })).status).toBe(404);
    expect((await cause({ events: [good, { ...good, type: 'made.up' }] })).status).toBe(400);
    expect((await api.call('GET', '/v1/events', { credential: demo.globex.key })).body.data).toHaveLength(before);
  });

  test('accepts calls at the same time, and each call gets its own event and deliveries', async () => {
    await using busy = await startApi({ rateLimit: false });
    const create = (url: string, credential: string) =>
      busy.call('POST', '/v1/webhooks/endpoints', { body: { url, subscribedEvents: ['lifecycle.*'] }, credential });
    const one = (await create('http://127.0.0.1:9/', demo.production.key)).body.endpoint.id;
    const other = (await create('http://127.0.0.1:9/', demo.globex.key)).body.endpoint.id;
    const workspaces = [demo.production.id, demo.globex.id, 'wsp_unknown'];
    const post = (workspaceId: string) =>
      busy.call('POST', '/_control/events', { body: { workspaceId, type: 'lifecycle.evaluated' } });
    const calls = Array.from({ length: 30 }, () => workspaces).flat();
    const responses = await Promise.all(calls.map(post));
    const accepted = responses.filter(({ status }) => status === 201).map(({ body }) => body);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(30);
    expect(accepted).toHaveLength(60);
    expect(new Set(accepted.map(({ event }) => event.id)).size).toBe(60);
    expect(new Set(accepted.map(({ deliveries }) => deliveries[0].id)).size).toBe(60);
    for (const { event, deliveries } of accepted) {
      const endpointId = event.subject.id === demo.production.id ? one : other;
      expect(deliveries).toEqual([{ id: expect.stringMatching(/^whd_/), endpointId, status: 'pending' }]);
      const credential = endpointId === one ? demo.production.key : demo.globex.key;
      const shown = await busy.call('GET', `/v1/webhooks/deliveries/${deliveries[0].id}`, { credential });
      expect(shown.body).toMatchObject({ delivery: { eventId: event.id, endpointId } });
    }
  });

  test.each([
    [{}],
    [{ workspaceId: 1 }],
    [{ events: [] }],
    [{ workspaceId: demo.globex.id, type: 'lifecycle.evaluated', subjct: {} }],
  ])('refuses %j', async (body) => {
    expect(await cause(body)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });
});
