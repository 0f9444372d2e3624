import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { controlOf } from '../../support/http/control.ts';
import { startReceiver } from '../../support/receiver.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const { control, addEndpoint, cause } = controlOf(() => api);
const key = { credential: demo.production.key };

describe('The state of an endpoint', () => {
  test('includes failures in a row, the next due attempt and the signing secrets', async () => {
    await using receiver = await startReceiver(503);
    const { endpoint, secret } = await addEndpoint(receiver.url);
    const first = (await control(`endpoints/${endpoint.id}`)).body.endpoint;
    expect(first).toEqual({
      id: endpoint.id,
      workspaceId: demo.production.id,
      active: true,
      consecutiveFailures: 0,
      failuresUntilDisabled: 5,
      disabledAt: null,
      nextDueAt: null,
      secrets: [
        { id: secret.id, preview: secret.secretPreview, createdAt: secret.createdAt, expiresAt: null, pinned: false },
      ],
    });
    const { deliveries } = await cause();
    await control('settle', {});
    const delivery = await api.call('GET', `/v1/webhooks/deliveries/${deliveries[0].id}`, key);
    const list = (await control(`endpoints?workspaceId=${demo.production.id}`)).body;
    expect(list.data.find(({ id }: { id: string }) => id === endpoint.id)).toMatchObject({
      nextDueAt: delivery.body.delivery.nextAttemptAt,
    });
    await api.call('POST', `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`, key);
    const { secrets } = (await control(`endpoints/${endpoint.id}`)).body.endpoint;
    expect(secrets).toMatchObject([{ expiresAt: null }, { id: secret.id, expiresAt: expect.any(String) }]);
    expect(JSON.stringify(secrets)).not.toContain(secret.secret);
    await api.call('DELETE', `/v1/webhooks/endpoints/${endpoint.id}`, key);
    expect((await control(`endpoints/${endpoint.id}`)).status).toBe(404);
    expect((await control('endpoints?workspaceId=wsp_none')).status).toBe(404);
    expect((await control('endpoints')).status).toBe(400);
  });

  test('keeps the time when it was disabled, through other changes, until it is enabled again', async () => {
    await using receiver = await startReceiver(503);
    const { endpoint } = await addEndpoint(receiver.url);
    const path = `/v1/webhooks/endpoints/${endpoint.id}`;
    const disabledAt = async () => (await control(`endpoints/${endpoint.id}`)).body.endpoint.disabledAt;
    await api.call('PATCH', path, { ...key, body: { active: false } });
    // The owner paused it, not the service.
    expect(await disabledAt()).toBeNull();
    await api.call('PATCH', path, { ...key, body: { active: true } });
    await control('clock', { freeze: true });
    for (let times = 0; times < 5; times++) await cause();
    await control('settle', {});
    await control('clock', { advance: '4d' });
    const since = await disabledAt();
    const { body } = await api.call(
      'GET',
      `/v1/events?type=webhook.endpoint.auto_disabled&subjectId=${endpoint.id}`,
      key,
    );
    expect(since).toBe(body.data[0].created);
    await api.call('PATCH', path, { ...key, body: { description: 'still off' } });
    expect(await disabledAt()).toBe(since);
    await api.call('PATCH', path, { ...key, body: { active: true } });
    expect(await disabledAt()).toBeNull();
    await control('clock', { resume: true });
  });

  test('includes its latest deliveries in short form', async () => {
    await using receiver = await startReceiver(204);
    const { endpoint } = await addEndpoint(receiver.url);
    const ids = [(await cause()).deliveries, (await cause()).deliveries].map(
      (deliveries) => deliveries.find((one: { endpointId: string }) => one.endpointId === endpoint.id).id,
    );
    await control('settle', {});
    expect((await control(`endpoints/${endpoint.id}/activity`)).body).toEqual({
      deliveries: ids.toReversed().map((id) => ({ id, status: 'success', createdAt: expect.any(String) })),
      truncated: false,
    });
    expect((await control('endpoints/whe_none/activity')).status).toBe(404);
  });
});
