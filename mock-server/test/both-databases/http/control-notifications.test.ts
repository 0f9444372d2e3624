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

describe('GET /_control/notifications', () => {
  test('lists the notifications about a disabled endpoint, by user and in pages', async () => {
    await using receiver = await startReceiver(500);
    const endpointId = (await addEndpoint(receiver.url, demo.staging)).endpoint.id;
    for (let count = 0; count < 5; count++) await cause(demo.staging.id);
    await control('clock', { advance: '4d' });
    const { body } = await control('notifications');
    expect(body.data.length).toBeGreaterThan(0);
    for (const item of body.data) {
      expect(item).toEqual({
        id: expect.stringMatching(/^ntf_/),
        userId: expect.stringMatching(/^usr_/),
        workspaceId: demo.staging.id,
        type: 'webhook.endpoint.auto_disabled',
        endpointId,
        createdAt: expect.any(String),
        readAt: null,
      });
    }
    const [{ userId }] = body.data;
    const own = await control(`notifications?userId=${userId}`);
    expect(own.body.data).toEqual(body.data.filter((item: { userId: string }) => item.userId === userId));
    expect((await control('notifications?userId=usr_none')).body.data).toEqual([]);
    const first = await control('notifications?limit=1');
    const second = await api.call('GET', first.body.nextPageUrl);
    expect([...first.body.data, ...second.body.data]).toEqual(body.data.slice(0, 2));
    expect((await control('notifications?limit=0')).status).toBe(400);
  });
});
