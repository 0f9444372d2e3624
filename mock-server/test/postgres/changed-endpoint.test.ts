import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver as startHeldReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';

afterEach(() => vi.useRealTimers());

const as = { credential: demo.production.key };

/**
 * Starts one server that answers calls and one that delivers, on one database. The monotonic clock is frozen, so the
 * cached endpoint never expires. Two deliveries are in flight, and more wait for them to end.
 */
async function startPair() {
  await using cleanup = new AsyncDisposableStack();
  vi.useFakeTimers({ toFake: ['performance'] });
  const { url: databaseUrl } = cleanup.use(await createTestDatabase());
  const onIt = { databaseUrl, masterKey: TEST_MASTER_KEY };
  const asked = cleanup.use(await startApi({ ...onIt, roles: ['api'] }));
  cleanup.use(await startApi({ ...onIt, roles: ['deliver'] }));
  const open: ServerResponse[] = [];
  const receiver = cleanup.use(await startHeldReceiver((_request, response) => open.push(response)));
  const created = await asked.call('POST', '/v1/webhooks/endpoints', {
    ...as,
    body: { url: receiver.url, subscribedEvents: ['lifecycle.*'] },
  });
  const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  await asked.call('POST', '/_control/events', { body: { events: Array(5).fill(event) } });
  await vi.waitFor(() => expect(open).toHaveLength(2));
  const path = `/v1/webhooks/endpoints/${created.body.endpoint.id}`;
  const owned = cleanup.move();
  return {
    async change(method: string, body?: object) {
      expect((await asked.call(method, path, { ...as, body })).status).toBe(200);
      // Every server confirms this call, and servers receive messages in order. So all have received the change before
      // it.
      await asked.call('DELETE', '/_control/faults');
    },
    answer() {
      for (const response of open) response.writeHead(200).end();
    },
    async statuses() {
      const { body } = await asked.call('GET', '/v1/webhooks/deliveries', as);
      return body.data.map(({ status }: { status: string }) => status).sort();
    },
    requests: receiver.requests,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('An endpoint that is changed through a server that does not deliver', () => {
  test('gets no more attempts at its old URL once the delivering server has received the change', async () => {
    await using pair = await startPair();
    await using receiver = await startReceiver();
    await pair.change('PATCH', { url: receiver.url });
    pair.answer();
    await vi.waitFor(async () => expect(await pair.statuses()).toEqual(Array(5).fill('success')));
    expect([pair.requests.length, receiver.received.length]).toEqual([2, 3]);
  });

  test('gets no more attempts once it is paused', async () => {
    await using pair = await startPair();
    await pair.change('PATCH', { active: false });
    pair.answer();
    await vi.waitFor(async () => {
      expect(await pair.statuses()).toEqual([...Array(3).fill('disabled'), ...Array(2).fill('success')]);
    });
    expect(pair.requests).toHaveLength(2);
  });

  test('gets no more attempts once it is deleted', async () => {
    await using pair = await startPair();
    await pair.change('DELETE');
    pair.answer();
    await vi.waitFor(async () => {
      expect(await pair.statuses()).toEqual([...Array(3).fill('disabled'), ...Array(2).fill('success')]);
    });
    expect(pair.requests).toHaveLength(2);
  });
});
