import { patience } from '@svc/testing';
import { describe, expect, test, vi } from 'vitest';
import { lookAtLanes } from '../../src/delivery/queue/look.ts';
import { releaseAndDisable } from '../../src/delivery/queue/release-lanes.ts';
import { claimLanes } from '../../src/storage/delivery/claim-lanes.ts';
import { findLane } from '../../src/storage/delivery/lane-turns.ts';
import { beginSession, endSession } from '../../src/storage/delivery/node-sessions.ts';
import { disableDeliveries } from '../../src/storage/delivery/queue-places.ts';
import type { Storage } from '../../src/storage/port.ts';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine, type World } from '../support/delivery/world.ts';
import { demo } from '../support/demo.ts';

/** Creates a world that, like a server, stores events over other connections than the engine uses. */
async function createSplitWorld() {
  await using cleanup = new AsyncDisposableStack();
  const { url } = cleanup.use(await createTestDatabase());
  const world = await createWorld(cleanup.use(connectPostgres(url, 'api')));
  const engineStorage = cleanup.use(connectPostgres(url, 'engine'));
  const owned = cleanup.move();
  return { ...world, engineStorage, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Stores an event in a transaction that stays open. It has touched the lane and put the delivery in its place. */
async function storeSlowly(world: World) {
  const stored = Promise.withResolvers<string[]>();
  const end = Promise.withResolvers<void>();
  const storing = world.storage.write(async (queries) => {
    const storage: Storage = { ...world.storage, write: (work) => work(queries) };
    stored.resolve(await emit({ ...world, storage }));
    await end.promise;
  });
  storing.catch(stored.reject);
  const ids = await stored.promise;
  const commit = async () => {
    end.resolve();
    await storing;
  };
  return { ids, commit, [Symbol.asyncDispose]: commit };
}

/** Counts transactions, so that a test can tell that the engine has looked for work again. */
function counting(storage: Storage) {
  const counted = { writes: 0 };
  const watched: Storage = {
    ...storage,
    write(work) {
      counted.writes++;
      return storage.write(work);
    },
    async [Symbol.asyncDispose]() {},
  };
  return { watched, counted };
}

describe('A lane for which events are being stored', () => {
  test('can be claimed before they are stored, and stays with its holder until then', async () => {
    await using receiver = await startReceiver();
    await using world = await createSplitWorld();
    await addEndpoint(world, receiver.url);
    const [early] = await emit(world);
    await using storing = await storeSlowly(world);
    const { watched, counted } = counting(world.engineStorage);
    await using engine = await startEngine({ ...world, storage: watched }, { paused: false });
    await vi.waitFor(async () =>
      expect(await deliveryOf(world.storage, early)).toMatchObject({ status: 'success', attempt: 1 }),
    );
    // Nothing is left to do, so the engine tries to give the lane back again and again.
    const before = counted.writes;
    await vi.waitFor(() => expect(counted.writes).toBeGreaterThan(before + 5));

    await storing.commit();
    // Nothing wakes the engine.
    await vi.waitFor(async () =>
      expect(await deliveryOf(world.storage, storing.ids[0])).toMatchObject({ status: 'success', attempt: 1 }),
    );
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(receiver.requests).toHaveLength(2);
  });

  test('is released by an engine that stops in that time, and the next engine delivers the events', async () => {
    await using receiver = await startReceiver();
    await using world = await createSplitWorld();
    const { id: endpointId } = await addEndpoint(world, receiver.url);
    const [early] = await emit(world);
    await using storing = await storeSlowly(world);
    const engine = await startEngine({ ...world, storage: world.engineStorage }, { paused: false });
    await vi.waitFor(async () => expect(await deliveryOf(world.storage, early)).toMatchObject({ status: 'success' }));
    await engine.close();
    expect(await world.storage.read((queries) => findLane(queries, endpointId))).toMatchObject({
      node: null,
      turn_at: world.clock.now(),
    });

    await storing.commit();
    await using next = await startEngine({ ...world, storage: world.engineStorage }, { paused: false });
    expect(await next.whenIdle(patience())).toBe(true);
    expect(await deliveryOf(world.storage, storing.ids[0])).toMatchObject({ status: 'success', attempt: 1 });
  });

  test('is free once the session of its holder ends, even before they are stored', async () => {
    await using world = await createSplitWorld();
    const { engineStorage: storage, clock } = world;
    const { id: endpointId } = await addEndpoint(world, 'http://127.0.0.1:9/');
    await emit(world);
    await storage.write((queries) => beginSession(queries, 'dead'));
    const claim = { now: clock.now(), session: 'dead', limit: 1 };
    expect(await storage.write((queries) => claimLanes(queries, claim))).toEqual([endpointId]);
    await using _storing = await storeSlowly(world);
    expect(await storage.write((queries) => endSession(queries, { id: 'dead', renewals: 0 }))).toBe(true);
    expect(await world.storage.read((queries) => findLane(queries, endpointId))).toMatchObject({ node: null });
  });

  test('is claimed even if events are stored without a pause', async () => {
    await using receiver = await startReceiver();
    await using database = await createTestDatabase();
    await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY, rateLimit: false });
    const key = { credential: demo.production.key };
    await api.call('POST', '/v1/webhooks/endpoints', { ...key, body: { url: receiver.url, subscribedEvents: ['*'] } });
    const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
    let isOver = false;
    let accepted = 0;
    async function stream(): Promise<void> {
      while (!isOver) {
        const { status } = await api.call('POST', '/_control/events', { body: { events: Array(20).fill(event) } });
        expect(status).toBe(201);
        accepted += 20;
      }
    }
    const streams = Promise.all([stream(), stream(), stream()]);
    try {
      await vi.waitFor(() => expect(receiver.requests.length).toBeGreaterThan(0));
    } finally {
      isOver = true;
      await streams;
    }
    expect((await api.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
    expect(receiver.requests).toHaveLength(accepted);
  });

  test('never loses its turn, at whatever point storing and giving back overlap', async () => {
    await using world = await createSplitWorld();
    const { id: endpointId } = await addEndpoint(world, 'http://127.0.0.1:9/');
    const session = 'session';
    await world.storage.write((queries) => beginSession(queries, session));
    let delivered = 0;
    /** Claims the lane, ends what is due in it, and gives it back, like an engine. */
    async function turn(mayStay: boolean): Promise<void> {
      const { engineStorage: storage, clock } = world;
      const claim = { now: clock.now(), session, limit: 1 };
      const claimed = await storage.write((queries) => claimLanes(queries, claim));
      for (let isHeld = claimed.length > 0; isHeld; ) {
        const room = [{ endpointId, room: 7, inHand: 0, chosen: 0 }];
        const looks = await storage.read((queries) => lookAtLanes(queries, room, clock.now(), () => false));
        const places = looks.get(endpointId)?.found?.deliveries.map(({ place }) => place) ?? [];
        delivered += places.length;
        await storage.write((queries) => disableDeliveries(queries, places));
        if (places.length > 0) continue;
        const done = [{ endpointId, session, mayStay }];
        const back = { done, closed: [], now: clock.now(), isSkipped: () => false };
        const staying = await storage.write((queries) => releaseAndDisable(queries, back));
        isHeld = staying.has(endpointId);
      }
    }
    /** Stores an event after some reads. Depending on how many, it meets another step of a turn that starts with it. */
    async function storeBehind(reads: number): Promise<void> {
      for (let done = 0; done < reads; done++) await world.storage.read((queries) => findLane(queries, endpointId));
      await emit(world);
    }
    for (let round = 1; round <= 200; round++) {
      await emit(world);
      await Promise.all([turn(round % 2 === 0), storeBehind(round % 13)]);
      // The event stored in that time was delivered, or the lane has a turn for it. After this turn, nothing is left.
      await turn(true);
      expect({ round, delivered }).toEqual({ round, delivered: 2 * round });
    }
    expect(await world.storage.read((queries) => findLane(queries, endpointId))).toMatchObject({
      node: null,
      turn_at: null,
    });
  });
});
