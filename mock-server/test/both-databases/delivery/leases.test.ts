import { mkdtemp, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { patience } from '@svc/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createIds } from '../../../src/runtime/ids.ts';
import { createLogger } from '../../../src/runtime/logger.ts';
import { type Storage, StorageUnavailableError } from '../../../src/storage/port.ts';
import { openSqlite } from '../../../src/storage/sqlite/open.ts';
import { claimLanes } from '../../../src/storage/statements/lanes/claim.ts';
import { wipe } from '../../../src/storage/wipe.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import { beginOther, endOther, sessionsIn, takeAllLanes } from '../../support/delivery/sessions.ts';
import {
  addEndpoint,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  MINUTE,
  startEngine,
  startWorld,
} from '../../support/delivery/world.ts';

afterEach(() => vi.restoreAllMocks());

/** A world whose running engine has a delivery in flight. The test answers the requests in `open`. */
async function startInFlight(options: Parameters<typeof startWorld>[1] = {}) {
  await using cleanup = new AsyncDisposableStack();
  const open: ServerResponse[] = [];
  const world = cleanup.use(
    await startWorld((_request, response) => open.push(response), { paused: false, ...options }),
  );
  const [id] = await emit(world);
  world.engine.wake();
  await vi.waitFor(() => expect(open).toHaveLength(1));
  const owned = cleanup.move();
  return { ...world, open, id, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('Deliveries: at least once', () => {
  it('deliveries in flight when a process dies are made by the next on the same file, with the same webhook-id', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deliveries-'));
    try {
      const file = join(folder, 'data.sqlite');
      await using receiver = await startReceiver(() => {});
      const world = await createWorld(await openSqlite(file));
      await addEndpoint(world, receiver.url);
      // This engine hangs with both deliveries in flight and is never heard of again.
      const lost = await startEngine(world, { paused: false });
      const ids = await emit(world, 2);
      lost.wake();
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(2));

      receiver.answer = status(200);
      await using storage = await openSqlite(file);
      const { clock, masterKey } = world;
      await using engine = await startEngine({ storage, clock, masterKey, ids: createIds(clock) }, { paused: false });
      expect(await engine.whenIdle(patience())).toBe(true);
      for (const id of ids) expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 1 });
      expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual([...ids, ...ids].sort());
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('a result that arrives after the session of its node has ended is logged, but changes neither the state nor a counter', async () => {
    await using world = await startInFlight({ retryDelaysMs: [] });
    const { receiver, storage, endpoint, engine, open, id } = world;

    await takeAllLanes(storage);
    open[0]?.writeHead(500).end();
    await vi.waitFor(async () => expect(await attemptsOf(storage, id)).toHaveLength(1));
    expect((await attemptsOf(storage, id))[0]).toMatchObject({ late: 1, error: 'HTTP 500', response_status: 500 });
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 0, error: null });
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ consecutive_failures: 0 });

    // The other node stops; the delivery is made and counted once.
    receiver.answer = status(200);
    await endOther(storage);
    engine.wake();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 1 });
  });

  it('a result that arrives after a reset leaves nothing', async () => {
    await using world = await startInFlight();
    const { storage, engine, open, id } = world;
    await storage.write(wipe);
    open[0]?.writeHead(200).end();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(await attemptsOf(storage, id)).toEqual([]);
  });

  it('a result that arrives after a reset does not count for a seeded endpoint with the same id', async () => {
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver((_request, response) => open.push(response));
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, receiver.url);
    const row = await endpointOf(storage, endpoint.id);
    const workspace = await storage.read((queries) =>
      queries.selectFrom('workspaces').selectAll().executeTakeFirstOrThrow(),
    );
    const organization = await storage.read((queries) =>
      queries.selectFrom('organizations').selectAll().executeTakeFirstOrThrow(),
    );
    await using engine = await startEngine(world, { paused: false, retryDelaysMs: [] });
    await emit(world);
    engine.wake();
    await vi.waitFor(() => expect(open).toHaveLength(1));

    // Another node resets the data, accepts an event for the endpoint and claims its lane.
    await storage.write(async (queries) => {
      await wipe(queries);
      await queries.insertInto('organizations').values(organization).execute();
      await queries.insertInto('workspaces').values(workspace).execute();
      await queries.insertInto('webhook_endpoints').values(row).execute();
    });
    const [later] = await emit(world);
    await beginOther(storage);
    const order = { now: world.clock.now(), session: 'other', limit: 1 };
    expect(await storage.write((queries) => claimLanes(queries, order))).toEqual([endpoint.id]);
    open[0]?.writeHead(500).end();
    await vi.waitFor(async () => expect((await engine.status()).inFlight).toBe(0));
    expect(await endpointOf(storage, endpoint.id)).toEqual(row);
    expect(await deliveryOf(storage, later)).toMatchObject({ status: 'pending', attempt: 0 });
    const logged = await storage.read((queries) => queries.selectFrom('delivery_attempts').selectAll().execute());
    expect(logged).toEqual([]);
  });

  it('a result that arrives during the session of its node changes the state', async () => {
    await using world = await startInFlight();
    const { storage, engine, open, id } = world;
    expect(await engine.status()).toMatchObject({ due: 1, pending: 0, inFlight: 1, nextDueAt: world.clock.now() });
    open[0]?.writeHead(200).end();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(await attemptsOf(storage, id)).toMatchObject([{ late: 0 }]);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 1 });
  });
});

describe('A database that fails', () => {
  it.each([
    { answer: 500, ends: 'failed', takesPlace: true },
    { answer: 500, ends: 'failed', takesPlace: false },
    { answer: 200, ends: 'success', takesPlace: true },
    { answer: 200, ends: 'success', takesPlace: false },
  ])(
    'during a write-back loses nothing and counts nothing twice: HTTP $answer, took place: $takesPlace',
    async ({ answer, ends, takesPlace }) => {
      await using receiver = await startReceiver(status(answer));
      const world = await createWorld();
      await using storage = world.storage;
      const endpoint = await addEndpoint(world, receiver.url);
      let failures = 0;
      /** Loses the response to the write-back and, without `takesPlace`, the write-back as well. */
      async function answering<Result>(write: () => Promise<Result>): Promise<Result> {
        const fails = receiver.requests.length === 3 && failures === 0;
        if (!fails) return write();
        failures++;
        if (takesPlace) await write();
        throw new StorageUnavailableError('The connection was lost.');
      }
      const failing: Storage = {
        read: (work) => storage.read(work),
        write: (work) => answering(() => storage.write(work)),
        writeAtOnce: (statements) => answering(() => storage.writeAtOnce(statements)),
        async [Symbol.asyncDispose]() {},
      };
      await using engine = await startEngine({ ...world, storage: failing }, { retryDelaysMs: [] });
      const ids = await emit(world, 3);
      await engine.runDue();
      expect(failures).toBe(1);
      for (const id of ids) {
        expect(await deliveryOf(storage, id)).toMatchObject({ status: ends, attempt: 1 });
        expect(await attemptsOf(storage, id)).toHaveLength(1);
      }
      const counted = ends === 'failed' ? 3 : 0;
      expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 1, consecutive_failures: counted });
      expect(receiver.requests).toHaveLength(3);
    },
  );

  it('makes the engine unhealthy until it is back', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, receiver.url);
    let away = false;
    const failing: Storage = {
      read: (work) => (away ? Promise.reject(new StorageUnavailableError('away')) : storage.read(work)),
      write: (work) => (away ? Promise.reject(new StorageUnavailableError('away')) : storage.write(work)),
      writeAtOnce: (work) => (away ? Promise.reject(new StorageUnavailableError('away')) : storage.writeAtOnce(work)),
      async [Symbol.asyncDispose]() {},
    };
    await using engine = await startEngine({ ...world, storage: failing }, { paused: false });
    expect(engine.healthy()).toBe(true);
    const [id] = await emit(world);
    away = true;
    engine.wake();
    await vi.waitFor(() => expect(engine.healthy()).toBe(false));
    away = false;
    await vi.waitFor(async () => expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success' }));
    expect(engine.healthy()).toBe(true);
  });
});

describe('Closing', () => {
  it('finishes what is in flight, starts nothing more, gives the lanes back and ends the session', async () => {
    const open: ServerResponse[] = [];
    await using world = await startWorld((_request, response) => open.push(response), {
      paused: false,
      endpointConcurrency: 2,
    });
    const { receiver, storage, engine } = world;
    const ids = await emit(world, 5);
    engine.wake();
    await vi.waitFor(() => expect(open).toHaveLength(2));
    const closed = engine.close();
    for (const response of open) response.writeHead(200).end();
    await closed;

    const statuses = await Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
    expect(statuses).toEqual(['success', 'success', 'pending', 'pending', 'pending']);
    expect(receiver.requests).toHaveLength(2);
    const lanes = await storage.read((queries) => queries.selectFrom('delivery_lanes').selectAll().execute());
    expect(lanes).toMatchObject([{ node: null, turn_at: world.clock.now() - MINUTE }]);
    expect(await sessionsIn(storage)).toEqual([]);
  });

  it('waits for attempts in flight as long as one may take, plus 2 s for its write-back, and no longer', async () => {
    const logger = createLogger('silent');
    const told = vi.spyOn(logger, 'error');
    const cutDatabase = vi.fn();
    await using world = await startInFlight({ logger, cutDatabase });
    const { storage, engine, id } = world;
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    let isClosed = false;
    const closed = engine.close().then(() => {
      isClosed = true;
    });
    await vi.waitFor(() => expect(timeout).toHaveBeenCalled());
    expect(timeout.mock.calls).toEqual([[12_000]]);
    await deliveryOf(storage, id);
    expect(isClosed).toBe(false);
    expect(cutDatabase).not.toHaveBeenCalled();
    deadline.abort();
    await closed;
    expect(cutDatabase).toHaveBeenCalledOnce();
    expect(told).toHaveBeenCalledExactlyOnceWith(
      { lanes: 1, deliveries: 1 },
      expect.stringContaining('these lanes are free when the lease of this server ends'),
    );
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 0 });
  });
});
