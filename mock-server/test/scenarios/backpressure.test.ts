import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { createContext } from '../../src/context.ts';
import { createApp } from '../../src/http/app.ts';
import { createIntake } from '../../src/http/intake.ts';
import { checkedWrites, type SameData } from '../../src/storage/checked-writes.ts';
import { type Storage, StorageUnavailableError } from '../../src/storage/port.ts';
import { TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase, onPostgres } from '../support/database.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';

/** Creates a server without a socket that lets `max` deliveries wait. `wrap` wraps the storage that requests write to. */
async function startBounded(max: number, wrap: (inner: Storage) => Pick<Storage, 'write'> = (inner) => inner) {
  await using cleanup = new AsyncDisposableStack();
  const database = onPostgres ? cleanup.use(await createTestDatabase()) : undefined;
  const context = cleanup.use(
    await createContext({
      ...DEFAULT_CONFIG,
      dataDir: null,
      logLevel: 'silent',
      rateLimit: false,
      publicUrl: 'http://service.localhost',
      ...(database && { databaseUrl: database.url, masterKey: TEST_MASTER_KEY }),
    }),
  );
  const inner = context.services.storage as Storage;
  const wrapped = wrap(inner);
  const app = createApp({
    ...context.services,
    intake: createIntake(context.services.metrics, max),
    onSameData(sameData: SameData) {
      const bound = context.services.onSameData(sameData);
      return {
        ...bound,
        storage: { ...bound.storage, write: checkedWrites(wrapped, () => sameData.checkWrite).write },
      };
    },
  });
  const owned = cleanup.move();
  return {
    storage: inner,
    async post(path: string, body: object = {}, credential?: string) {
      const response = await app.fetch(
        new Request(`http://service.localhost${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(credential && { authorization: `Bearer ${credential}` }) },
          body: JSON.stringify(body),
        }),
      );
      // biome-ignore lint/suspicious/noExplicitAny: tests compare whole responses; their shape is what they assert.
      const answer = (await response.json()) as any;
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: answer };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
const countEvents = async (storage: Storage) =>
  await storage.read(async (queries) => (await queries.selectFrom('events').select('id').execute()).length);
const countDeliveries = async (storage: Storage) =>
  await storage.read(async (queries) => (await queries.selectFrom('deliveries').select('id').execute()).length);
const refused = { status: 503, retryAfter: '1', body: { error: { code: 'UNAVAILABLE' } } };

describe('Backpressure', () => {
  test('refuses events, pings and replays with 503 when full, delivers what it accepted, then accepts more', async () => {
    let open = Promise.withResolvers<void>();
    open.resolve();
    let waiting = 0;
    await using receiver = await startReceiver();
    await using server = await startBounded(2, (inner) => ({
      async write(work) {
        waiting++;
        await open.promise;
        return await inner.write(work);
      },
    }));
    /** Creates an endpoint, and returns a function that pings it. One workspace's requests run one after another. */
    const pinger = async (key: string) => {
      const input = { url: receiver.url, subscribedEvents: ['*'] };
      const { endpoint } = (await server.post('/v1/webhooks/endpoints', input, key)).body;
      return () => server.post(`/v1/webhooks/endpoints/${endpoint.id}/send-test-event`, {}, key);
    };
    const ping = await pinger(demo.production.key);
    const pingOther = await pinger(demo.staging.key);
    const { deliveryId } = (await pingOther()).body.ping;
    const replay = () => server.post(`/v1/webhooks/deliveries/${deliveryId}/replay`, {}, demo.staging.key);
    await server.post('/_control/settle');

    open = Promise.withResolvers();
    waiting = 0;
    const accepted = [server.post('/_control/events', event), ping()];
    await vi.waitFor(() => expect(waiting).toBe(2));
    expect(await server.post('/_control/events', event)).toMatchObject(refused);
    expect(await pingOther()).toMatchObject(refused);
    expect(await replay()).toMatchObject(refused);

    open.resolve();
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([201, 202]);
    expect((await server.post('/_control/events', event)).status).toBe(201);
    expect((await replay()).status).toBe(202);
    expect((await server.post('/_control/settle')).body).toMatchObject({ settled: true, pending: 0 });
    expect(receiver.received).toHaveLength(5);
  });

  test('refuses events while the database is blocked, and writes none of them', async () => {
    await using server = await startBounded(2);
    const held = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const blocked = server.storage.write(async (queries) => {
      if (onPostgres) await sql`lock table events in exclusive mode`.execute(queries);
      held.resolve();
      await free.promise;
    });
    await held.promise;
    const accepted = [server.post('/_control/events', event), server.post('/_control/events', event)];
    expect(await server.post('/_control/events', event)).toMatchObject(refused);
    free.resolve();
    await blocked;
    expect((await Promise.all(accepted)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await countEvents(server.storage)).toBe(2);
  });

  test('writes the waiting events of a workspace together, and lets no event wait for another workspace', async () => {
    const open = Promise.withResolvers<void>();
    let writes = 0;
    await using server = await startBounded(100, (inner) => ({
      async write(work) {
        if (++writes === 1) await open.promise;
        return await inner.write(work);
      },
    }));
    const blocked = Array.from({ length: 20 }, () => server.post('/_control/events', event));
    await vi.waitFor(() => expect(writes).toBe(1));
    const other = await server.post('/_control/events', { ...event, workspaceId: demo.globex.id });
    expect(other.status).toBe(201);
    expect(await countEvents(server.storage)).toBe(1);
    open.resolve();
    expect(new Set((await Promise.all(blocked)).map(({ status }) => status))).toEqual(new Set([201]));
    expect(await countEvents(server.storage)).toBe(21);
    expect(writes).toBe(3);
  });

  test('accepts a call that is larger than the limit if nothing is waiting', async () => {
    await using server = await startBounded(2);
    expect((await server.post('/_control/events', { events: [event, event, event] })).status).toBe(201);
    expect(await countEvents(server.storage)).toBe(3);
  });

  test("counts each event as the number of deliveries that the workspace's latest event made", async () => {
    let open = Promise.withResolvers<void>();
    open.resolve();
    let waiting = 0;
    await using server = await startBounded(5, (inner) => ({
      async write(work) {
        waiting++;
        await open.promise;
        return await inner.write(work);
      },
    }));
    for (const path of ['a', 'b', 'c']) {
      const endpoint = { url: `http://127.0.0.1:9/${path}`, subscribedEvents: ['*'] };
      await server.post('/v1/webhooks/endpoints', endpoint, demo.production.key);
    }
    await server.post('/_control/events', event);
    open = Promise.withResolvers();
    waiting = 0;
    const accepted = server.post('/_control/events', event);
    await vi.waitFor(() => expect(waiting).toBe(1));
    const second = server.post('/_control/events', event);
    open.resolve();
    expect(await second).toMatchObject(refused);
    expect((await accepted).status).toBe(201);
  });
});

describe('Many events in one call', () => {
  test('are written in slices, and other work runs in between', async () => {
    const slices: { deliveries: number; passes: number }[] = [];
    let passes = 0;
    await using server = await startBounded(10, (inner) => ({
      async write(work) {
        const before = await countDeliveries(inner);
        const result = await inner.write(work);
        slices.push({ deliveries: (await countDeliveries(inner)) - before, passes });
        return result;
      },
    }));
    for (let index = 0; index < 20; index++) {
      const endpoint = { url: `http://127.0.0.1:9/${index}`, subscribedEvents: ['*'] };
      await server.post('/v1/webhooks/endpoints', endpoint, demo.production.key);
    }
    slices.length = 0;
    let counting = true;
    const count = () => {
      passes++;
      if (counting) setImmediate(count);
    };
    count();
    const { status, body } = await server.post('/_control/events', { events: Array(120).fill(event) });
    counting = false;
    expect(status).toBe(201);
    expect(body.events).toHaveLength(120);
    expect(new Set(body.events.map((accepted: { event: { id: string } }) => accepted.event.id)).size).toBe(120);
    expect(slices.map(({ deliveries }) => deliveries)).toEqual([200, 1_000, 1_000, 200]);
    expect(new Set(slices.map((slice) => slice.passes)).size).toBe(slices.length);
  });

  test('are stored in part if the database fails midway; the response says how many, and those are delivered', async () => {
    let writes = 0;
    await using receiver = await startReceiver();
    await using server = await startBounded(10, (inner) => ({
      async write(work) {
        if (++writes > 1) throw new StorageUnavailableError('away');
        return await inner.write(work);
      },
    }));
    const endpoint = { url: receiver.url, subscribedEvents: ['*'] };
    await server.post('/v1/webhooks/endpoints', endpoint, demo.production.key);
    writes = 0;
    expect(await server.post('/_control/events', { events: Array(30).fill(event) })).toMatchObject({
      status: 503,
      retryAfter: '1',
      body: {
        error: { code: 'UNAVAILABLE', message: expect.stringContaining('The first 10 of 30 events are stored') },
      },
    });
    await server.post('/_control/settle');
    expect(receiver.received).toHaveLength(10);
  });
});
