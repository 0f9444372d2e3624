import { startCluster } from '@svc/testing/postgres';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';
import { startProxy } from './support/proxy.ts';
import { query } from './support/query.ts';

const key = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
const WAIT = { interval: 50 };
const SILENCE_MAX_MS = 15_000;

interface Row {
  id: string;
  url: string;
  /** `null` if the delivery is neither queued nor ended. */
  state: string | null;
  /** The attempts that the queue or the end counts. */
  attempt: number | null;
  /** The attempts in the log that count. */
  logged: number;
}

/** Every delivery with its states. A delivery in two states has two rows. */
const ALL_DELIVERIES = `
  select deliveries.id, url, state, attempt,
    (select count(*)::int from delivery_attempts where delivery_id = deliveries.id and late = 0) as logged
  from deliveries join webhook_endpoints on webhook_endpoints.id = endpoint_id
  left join (
    select delivery_id collate "C" as delivery_id, 'queued' as state, attempt from delivery_queue
    union all select delivery_id collate "C", status, attempt from delivery_ends
  ) as states on delivery_id = deliveries.id`;

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

  test('with less data than the primary: every delivery that is left is in one state and ends', async () => {
    await using world = await startUnderLoad();
    const { receiver, primary, standby, address, api, accepted } = world;
    await using broken = await startReceiver(500);
    await api.call('POST', '/v1/webhooks/endpoints', { ...key, body: { url: broken.url, subscribedEvents: ['*'] } });
    await vi.waitFor(() => expect(broken.received.length).toBeGreaterThan(20), WAIT);

    // The standby has everything that was accepted up to here. It may lack what is accepted while it falls behind.
    const beforeLoss = accepted.length;
    await standby.fallBehind();
    const behind = accepted.length;
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(behind + 100), WAIT);
    await primary.stop();
    address.pointTo(standby.url);
    await standby.promote();
    const beforePromotion = accepted.length;
    await vi.waitFor(() => expect(accepted.length).toBeGreaterThan(beforePromotion + 50), WAIT);
    await world.stop();
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });

    const rows = await query<Row>({ databaseUrl: standby.url }, ALL_DELIVERIES);
    const known = new Map(rows.map((row) => [row.id, row]));
    expect(accepted.slice(0, beforeLoss).filter((id) => !known.has(id))).toEqual([]);
    // The commits that the standby lacks are really lost, with the deliveries that they accepted.
    expect(accepted.slice(beforeLoss, beforePromotion).filter((id) => !known.has(id))).not.toEqual([]);
    expect(accepted.slice(beforePromotion).filter((id) => !known.has(id))).toEqual([]);
    // Every attempt that counts is in the log.
    const isRight = ({ url, state, attempt, logged }: Row) =>
      logged > 0 && attempt === logged && state === (url === receiver.url ? 'success' : 'queued');
    expect(rows.filter((row) => !isRight(row))).toEqual([]);
    expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['success', 'queued']));
    expect(rows).toHaveLength(known.size);
  });
});
