import { startCluster } from '@svc/testing/postgres';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';
import { startProxy } from './support/proxy.ts';

const key = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
const WAIT = { interval: 50 };
const SILENCE_MAX_MS = 15_000;

interface Accepted {
  deliveries: { id: string }[];
}

/**
 * Starts a server under a load of events. Its database is a primary with a standby behind one address, as in
 * production.
 */
async function startUnderLoad() {
  await using cleanup = new AsyncDisposableStack();
  const receiver = cleanup.use(await startReceiver());
  const primary = cleanup.use(await startCluster({ fsync: 'off' }));
  const standby = cleanup.use(await primary.startStandby());
  const address = cleanup.use(await startProxy(primary.url));
  const api = cleanup.use(await startApi({ databaseUrl: address.url, masterKey: TEST_MASTER_KEY, rateLimit: false }));
  await api.call('POST', '/v1/webhooks/endpoints', { ...key, body: { url: receiver.url, subscribedEvents: ['*'] } });

  const accepted: string[] = [];
  const refusals = new Set<number>();
  let isOver = false;
  async function load(): Promise<void> {
    while (!isOver) {
      const events = Array(5).fill(event);
      const { status, body } = await api.call('POST', '/_control/events', { body: { events } });
      if (status !== 201) refusals.add(status);
      else accepted.push(...body.events.flatMap((item: Accepted) => item.deliveries.map(({ id }) => id)));
    }
  }
  const loading = Promise.all([load(), load()]);
  async function stop(): Promise<void> {
    isOver = true;
    await loading;
  }
  cleanup.defer(stop);
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(20), WAIT);
  const owned = cleanup.move();
  return {
    receiver,
    primary,
    standby,
    address,
    api,
    accepted,
    refusals,
    stop,
    statusOf: async (method: string, path: string, body?: unknown) =>
      (await api.call(method, path, { ...key, ...(body !== undefined && { body }) })).status,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
      shouldAdvanceTime: true,
    }),
);
afterEach(() => void vi.useRealTimers());

describe('A standby replaces a primary', () => {
  test.each<[string, (world: Awaited<ReturnType<typeof startUnderLoad>>) => Promise<void>]>([
    ['crashes', ({ primary }) => primary.stop()],
    [
      'goes silent',
      async ({ address, primary }) => {
        address.silence();
        await primary.stop();
        // A server waits this long for a response at most.
        await vi.advanceTimersByTimeAsync(SILENCE_MAX_MS);
      },
    ],
  ])('that %s: the API returns 503 until then, and loses nothing that it accepted', async (_how, fail) => {
    await using world = await startUnderLoad();
    const { receiver, standby, address, api, accepted, refusals, statusOf } = world;
    await fail(world);
    address.pointTo(standby.url);

    // Before its promotion the standby is read-only.
    await vi.waitFor(async () => expect(await statusOf('GET', '/v1/webhooks/endpoints')).toBe(200), WAIT);
    expect(await statusOf('POST', '/_control/events', event)).toBe(503);
    const before = accepted.length;

    await standby.promote();
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(before + 50), WAIT);
    await world.stop();
    expect([...refusals]).toEqual([503]);
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });

    const received = receiver.received.map(({ headers }) => headers['webhook-id'] ?? '');
    expect(accepted.filter((id) => !received.includes(id))).toEqual([]);
    for (const status of ['pending', 'failed', 'disabled']) {
      expect((await api.call('GET', `/v1/webhooks/deliveries?status=${status}`, key)).body.data).toEqual([]);
    }
    expect(await statusOf('GET', '/health/ready')).toBe(200);
  });
});
