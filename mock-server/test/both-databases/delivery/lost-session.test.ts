/*
 * A node that lost its session, for example because it was frozen, changes nothing more in the database.
 * `store-results.test.ts` tests the statements, and `queue/node-session.test.ts` when a session ends.
 * `postgres/lost-evaluation.test.ts` shows the same for evaluations.
 */

import { patience } from '@svc/testing';
import { describe, expect, it, vi } from 'vitest';
import { createSigningKeys } from '../../../src/delivery/sending/signing-keys.ts';
import { createFakeTimers } from '../../support/delivery/fake-timers.ts';
import { startInFlight } from '../../support/delivery/in-flight.ts';
import { watchLanes } from '../../support/delivery/lane-changes.ts';
import { startNode } from '../../support/delivery/node.ts';
import { status } from '../../support/delivery/receiver.ts';
import { endOther, holdersIn, sessionsIn, takeAllLanes } from '../../support/delivery/sessions.ts';
import {
  addEndpoint,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  startWorld,
} from '../../support/delivery/world.ts';

/** Nodes on one database with one endpoint, whose deliveries the first node has in flight. */
async function startNodeInFlight(options: { deliveries?: number; isShared?: boolean } = {}) {
  const { deliveries = 1, isShared = true } = options;
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld();
  cleanup.use(world.storage);
  await addEndpoint(world, 'https://receiver.test/hook');
  const ids = await emit(world, deliveries);
  const timers = createFakeTimers();
  const node = cleanup.use(startNode(world, { timers, isShared }));
  await vi.waitFor(() => expect(node.requests).toHaveLength(deliveries));
  const [session] = await sessionsIn(world.storage);
  const owned = cleanup.move();
  return { ...world, world, timers, node, ids, session, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('A node that lost its session, because other nodes ended it,', () => {
  it.each([true, false])(
    'holds no lanes, logs its results as late and continues under a new session (shared: %s)',
    async (isShared) => {
      await using started = await startNodeInFlight({ isShared });
      const { storage, node, session, ids } = started;
      await takeAllLanes(storage);
      node.requests[0]?.answer(200);
      await vi.waitFor(() => expect(node.outcomes).toEqual(['late']));
      expect([node.lanesLost, node.dispatcher.lanesHeld()]).toEqual([[1], 0]);
      expect(await holdersIn(storage)).toEqual(['other']);
      expect(await deliveryOf(storage, ids[0])).toMatchObject({ status: 'pending', attempt: 0, error: null });
      expect(await attemptsOf(storage, ids[0])).toMatchObject([{ late: 1, response_status: 200 }]);

      await endOther(storage);
      node.dispatcher.wake();
      await vi.waitFor(() => expect(node.requests).toHaveLength(2));
      const [next, ...others] = await sessionsIn(storage);
      expect([others, await holdersIn(storage)]).toEqual([[], [next]]);
      expect(next).not.toBe(session);
      node.requests[1]?.answer(200);
      await vi.waitFor(() => expect(node.outcomes).toEqual(['late', 'success']));
      expect(await deliveryOf(storage, ids[0])).toMatchObject({ status: 'success', attempt: 1 });
    },
  );

  it('looks at a lane that it holds again only after the attempt of the earlier session has ended', async () => {
    await using started = await startNodeInFlight();
    const { storage, timers, node, ids } = started;
    await takeAllLanes(storage);
    await endOther(storage);
    const read = vi.spyOn(started.storage, 'read');
    await timers.pass(500);
    node.dispatcher.wake();
    await vi.waitFor(() => expect(node.dispatcher.lanesHeld()).toBe(1));
    const before = read.mock.calls.length;
    const OWN = 50;
    for (let count = 0; count < OWN; count++) await deliveryOf(storage, ids[0]);
    // At most the look that was running has read since.
    expect(read.mock.calls.length - before - OWN).toBeLessThan(5);

    node.requests[0]?.answer(200);
    await vi.waitFor(() => expect(node.requests).toHaveLength(2));
    node.requests[1]?.answer(200);
    await vi.waitFor(() => expect(node.outcomes).toEqual(['late', 'success']));
  });

  it('holds no lanes after its next renewal, even if it has no results', async () => {
    await using started = await startNodeInFlight({ deliveries: 2 });
    const { storage, timers, node } = started;
    await takeAllLanes(storage);
    expect(node.dispatcher.lanesHeld()).toBe(1);
    await timers.pass(500);
    expect([node.lanesLost, node.dispatcher.lanesHeld()]).toEqual([[1], 0]);
  });

  it('does not get the lanes of a claim whose reply comes later', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, 'https://receiver.test/hook');
    await emit(world);
    const timers = createFakeTimers();
    const claimed = Promise.withResolvers<void>();
    const replied = Promise.withResolvers<void>();
    const answering = async () => {
      claimed.resolve();
      await replied.promise;
    };
    await using node = startNode(world, { timers, storage: watchLanes(storage, { answering }) });
    await claimed.promise;
    await takeAllLanes(storage);
    await timers.pass(500);
    expect(node.lanesLost).toEqual([0]);
    replied.resolve();
    await node.look();
    await timers.pass(500);
    await node.look();
    expect([node.dispatcher.lanesHeld(), node.requests]).toEqual([0, []]);
  });
});

describe('A result', () => {
  it('that arrives after the session of its node has ended is logged, but changes neither the state nor a counter', async () => {
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

  it('that arrives during the session of its node changes the state', async () => {
    await using world = await startInFlight();
    const { storage, engine, open, id } = world;
    expect(await engine.status()).toMatchObject({ due: 1, pending: 0, inFlight: 1, nextDueAt: world.clock.now() });
    open[0]?.writeHead(200).end();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(await attemptsOf(storage, id)).toMatchObject([{ late: 0 }]);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 1 });
  });

  it('that is a success and arrives after the session has ended is logged as late, and changes nothing', async () => {
    const answer = Promise.withResolvers<() => void>();
    await using world = await startWorld((_request, response) => answer.resolve(() => response.writeHead(200).end()), {
      paused: false,
    });
    const { storage } = world;
    const [id] = await emit(world);
    world.engine.wake();
    const respond = await answer.promise;
    await takeAllLanes(storage);
    respond();
    await vi.waitFor(async () => expect(await attemptsOf(storage, id)).toMatchObject([{ late: 1 }]));
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 0 });
  });
});

describe('A node that was frozen', () => {
  it('stores its results if no other node has ended its session', async () => {
    await using started = await startNodeInFlight();
    started.timers.freeze(60_000);
    started.node.requests[0]?.answer(200);
    await vi.waitFor(() => expect(started.node.outcomes).toEqual(['success']));
    expect(await deliveryOf(started.storage, started.ids[0])).toMatchObject({ status: 'success', attempt: 1 });
  });

  it('starts no attempt before it has renewed its session', async () => {
    await using started = await startNodeInFlight();
    const { world, timers, node } = started;
    timers.freeze(1_750);
    await emit(world);
    await node.look();
    expect(node.requests).toHaveLength(1);
    await timers.pass(0);
    await node.look();
    await vi.waitFor(() => expect(node.requests).toHaveLength(2));
  });

  it('between two attempts does not start the second attempt before it has renewed its session', async () => {
    const world = await createWorld();
    await using _storage = world.storage;
    await addEndpoint(world, 'https://receiver.test/hook');
    const timers = createFakeTimers();
    const keysOf = createSigningKeys(world.masterKey);
    let frozenMs = 900;
    await using node = startNode(world, {
      timers,
      signingKeys(secrets) {
        // A node signs its first attempt in the same step in which it would start the second attempt.
        timers.freeze(frozenMs);
        frozenMs = 0;
        return keysOf(secrets);
      },
    });
    await node.look();
    // Both times together are too long for the session. The deliveries are not stale after the second time.
    timers.freeze(1_000);
    await emit(world, 2);
    await node.look();
    await vi.waitFor(() => expect(node.requests).toHaveLength(1));
    expect([frozenMs, node.dispatcher.inFlight()]).toEqual([0, 1]);
    await timers.pass(0);
    await node.look();
    await vi.waitFor(() => expect(node.requests).toHaveLength(2));
  });
});
