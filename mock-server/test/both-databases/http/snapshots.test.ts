import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createControlClient } from '../../../src/control-client/client.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { startReceiver } from '../../support/receiver.ts';

let api: TestApi;
let control: ReturnType<typeof createControlClient>;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  control = createControlClient({ baseUrl: api.server.url });
});
afterAll(() => api[Symbol.asyncDispose]());

const key = demo.production.key;
const deliveries = async () => (await api.call('GET', '/v1/webhooks/deliveries', { credential: key })).body.data;
const trigger = () => control.createEvent({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' });

describe('Snapshots', () => {
  test('restore rows, due times, faults and the clock, any number of times, and the engine continues', async () => {
    await using receiver = await startReceiver(500);
    const body = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    await api.call('POST', '/v1/webhooks/endpoints', { credential: key, body });
    await control.changeClock({ freeze: true });
    await trigger();
    await control.settle();
    await control.createFault({ target: 'api', match: { path: '/v1/none' }, effect: { status: 500 } });
    const before = {
      deliveries: await deliveries(),
      clock: (await control.readClock()).now,
      faults: await control.listFaults(),
    };
    await control.saveSnapshot({ name: 'before' });

    for (let round = 0; round < 2; round++) {
      await control.changeClock({ advance: '5m' });
      await trigger();
      await control.settle();
      await control.clearFaults();
      expect(await deliveries()).toHaveLength(2);
      await control.restoreSnapshot({ name: 'before' });
      expect(await deliveries()).toEqual(before.deliveries);
      expect((await control.readClock()).now).toBe(before.clock);
      expect(await control.listFaults()).toEqual(before.faults);
    }

    receiver.status = 204;
    const { ran } = await control.changeClock({ advance: '5m' });
    expect(ran.attempts).toBe(1);
    expect(await deliveries()).toMatchObject([{ id: before.deliveries[0].id, status: 'success', attempt: 2 }]);
  });

  test('can be listed and deleted; a new one replaces an older one of the same name', async () => {
    await control.saveSnapshot({ name: 'a' });
    await control.createUser({ email: 'late@example.test', name: 'Late' });
    await control.saveSnapshot({ name: 'a' });
    const names = async () => (await control.listSnapshots()).snapshots.map(({ name }) => name);
    expect(await names()).toContain('a');
    await control.restoreSnapshot({ name: 'a' });
    await expect(control.createUser({ email: 'late@example.test', name: 'Late' })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
    await control.deleteSnapshot({ name: 'a' });
    expect(await names()).not.toContain('a');
  });

  test('survive a reset', async () => {
    await control.saveSnapshot({ name: 'kept' });
    await control.reset({ seed: {} });
    expect((await api.call('GET', '/v1/me', { credential: key })).status).toBe(401);
    await control.restoreSnapshot({ name: 'kept' });
    expect((await api.call('GET', '/v1/me', { credential: key })).status).toBe(200);
  });

  test('return 404 if they do not exist, and 400 for an invalid name', async () => {
    await expect(control.restoreSnapshot({ name: 'none' })).rejects.toMatchObject({ status: 404 });
    await expect(control.deleteSnapshot({ name: 'none' })).rejects.toMatchObject({ status: 404 });
    await expect(control.saveSnapshot({ name: '../x' })).rejects.toMatchObject({ status: 400 });
    expect((await api.call('GET', '/v1/me', { credential: key })).status).toBe(200);
  });
});
