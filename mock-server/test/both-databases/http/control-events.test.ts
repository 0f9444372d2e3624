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

  test.each([
    [{}],
    [{ workspaceId: 1 }],
    [{ events: [] }],
    [{ workspaceId: demo.globex.id, type: 'lifecycle.evaluated', subjct: {} }],
  ])('refuses %j', async (body) => {
    expect(await cause(body)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });
});
