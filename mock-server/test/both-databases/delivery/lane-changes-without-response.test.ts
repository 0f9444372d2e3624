import { RETRY_DELAYS_MS } from '@svc/contract';
import { describe, expect, it, vi } from 'vitest';
import { COMPARE_INTERVAL_MS, STORE_DELAY_MS } from '../../../src/delivery/tuning.ts';
import { findLanesOf } from '../../../src/storage/delivery/node-sessions.ts';
import { type Storage, StorageUnavailableError } from '../../../src/storage/port.ts';
import { createFakeTimers } from '../../support/delivery/fake-timers.ts';
import { type LaneChange, watchLanes } from '../../support/delivery/lane-changes.ts';
import { startNode } from '../../support/delivery/node.ts';
import { beginOther, holdersIn, sessionsIn, takeAllLanes } from '../../support/delivery/sessions.ts';
import { addEndpoint, createWorld, deliveryOf, emit, endpointOf } from '../../support/delivery/world.ts';

/** How long a node waits after a failure before it uses the database again. */
const PAUSE_MS = 100;

/** The first claim, or the first release, fails: without its reply, or without taking place. */
function failFirst(storage: Storage, failing: LaneChange, takesPlace: boolean) {
  const failed = Promise.withResolvers<void>();
  let isFirst = true;
  const fail = async (change: LaneChange) => {
    if (change !== failing || !isFirst) return;
    isFirst = false;
    failed.resolve();
    const outcome = takesPlace ? 'unknown' : 'unchanged';
    throw new StorageUnavailableError('The connection was lost.', { outcome });
  };
  const watcher = takesPlace ? { answering: fail } : { committing: fail };
  return { storage: watchLanes(storage, watcher), failed: failed.promise };
}

/** A database with one endpoint and one due delivery, and a node whose first claim or release fails. */
async function startFailing(failing: LaneChange, takesPlace: boolean) {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld();
  cleanup.use(world.storage);
  const { id: endpointId } = await addEndpoint(world, 'https://receiver.test/hook');
  const [id = ''] = await emit(world);
  const timers = createFakeTimers();
  const { storage, failed } = failFirst(world.storage, failing, takesPlace);
  const node = cleanup.use(startNode(world, { timers, storage }));
  const owned = cleanup.move();
  return {
    world,
    id,
    timers,
    node,
    failed,
    /** The lanes that the node holds, as the node says and as the database says. */
    async lanesHeld() {
      const [session = ''] = await sessionsIn(world.storage);
      const { holdsLane } = node.dispatcher.findOnNode({ id, endpointId, workspaceId: world.workspaceId });
      const stored = await world.storage.read((queries) => findLanesOf(queries, session));
      return { onNode: holdsLane ? [endpointId] : [], inDatabase: [...stored] };
    },
    endpointId,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('A node whose claim got no reply', () => {
  it.each([true, false])(
    'makes the first attempt when its pause ends, and holds the lane (took place: %s)',
    async (takesPlace) => {
      await using failing = await startFailing('claim', takesPlace);
      const { world, timers, node, endpointId } = failing;
      await failing.failed;
      await vi.waitUntil(() => !node.dispatcher.isHealthy());
      expect((await failing.lanesHeld()).inDatabase).toEqual(takesPlace ? [endpointId] : []);
      await timers.pass(PAUSE_MS - 1);
      expect(node.requests).toEqual([]);
      await timers.pass(1);
      await vi.waitFor(() => expect(node.requests).toHaveLength(1));
      expect(await failing.lanesHeld()).toEqual({ onNode: [endpointId], inDatabase: [endpointId] });
      node.requests[0]?.answer(200);
      await vi.waitFor(async () => expect(await holdersIn(world.storage)).toEqual([null]));
      expect(await deliveryOf(world.storage, failing.id)).toMatchObject({ status: 'success', attempt: 1 });
    },
  );

  it('holds no lane if other nodes have ended its session since', async () => {
    await using failing = await startFailing('claim', true);
    const { world, timers, node } = failing;
    await failing.failed;
    await vi.waitUntil(() => !node.dispatcher.isHealthy());
    await takeAllLanes(world.storage);
    await timers.pass(PAUSE_MS);
    await node.look();
    expect([node.dispatcher.lanesHeld(), node.requests]).toEqual([0, []]);
  });
});

describe('A node whose release got no reply', () => {
  it('does not hold the lane any more, and leaves later deliveries to the node that claims it', async () => {
    await using failing = await startFailing('release', true);
    const { world, timers, node } = failing;
    await vi.waitFor(() => expect(node.requests).toHaveLength(1));
    node.requests[0]?.answer(200);
    await failing.failed;
    await vi.waitUntil(() => !node.dispatcher.isHealthy());
    const [later] = await emit(world);
    await using other = startNode(world, { timers });
    await vi.waitFor(() => expect(other.requests).toMatchObject([{ deliveryId: later }]));

    await timers.pass(PAUSE_MS);
    await node.look();
    expect(node.dispatcher.isHealthy()).toBe(true);
    expect([node.dispatcher.lanesHeld(), node.requests.length]).toEqual([0, 1]);
    expect(other.dispatcher.lanesHeld()).toBe(1);
  });

  it('still holds the lane if the release did not take place, and releases it when its pause ends', async () => {
    await using failing = await startFailing('release', false);
    const { timers, node, endpointId } = failing;
    await vi.waitFor(() => expect(node.requests).toHaveLength(1));
    node.requests[0]?.answer(200);
    await failing.failed;
    await vi.waitUntil(() => !node.dispatcher.isHealthy());
    expect(await failing.lanesHeld()).toEqual({ onNode: [endpointId], inDatabase: [endpointId] });
    await timers.pass(PAUSE_MS);
    await vi.waitFor(async () => expect(await failing.lanesHeld()).toEqual({ onNode: [], inDatabase: [] }));
  });
});

describe('A node whose claim is missing in the standby that has taken over', () => {
  /** A node with an attempt under way, whose lane is held by another node in the database. */
  async function startWithoutClaim() {
    await using cleanup = new AsyncDisposableStack();
    const world = await createWorld();
    cleanup.use(world.storage);
    await addEndpoint(world, 'https://receiver.test/hook');
    await emit(world);
    const node = cleanup.use(startNode(world, { timers: createFakeTimers() }));
    await vi.waitFor(() => expect(node.requests).toHaveLength(1));
    await beginOther(world.storage);
    await world.storage.write((queries) => queries.updateTable('delivery_lanes').set({ node: 'other' }).execute());
    // A node that closes waits for its attempts.
    cleanup.defer(() => node.requests[0]?.answer(200));
    const owned = cleanup.move();
    return { node, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  it('no longer holds the lane as soon as it has lost the connection', async () => {
    await using started = await startWithoutClaim();
    const { node } = started;
    expect(node.dispatcher.lanesHeld()).toBe(1);
    node.dispatcher.databaseLost();
    await vi.waitFor(() => expect(node.dispatcher.lanesHeld()).toBe(0));
  });

  it('counts the result of the attempt when the node has claimed the lane again', async () => {
    await using cleanup = new AsyncDisposableStack();
    const world = await createWorld();
    cleanup.use(world.storage);
    const { id: endpointId } = await addEndpoint(world, 'https://receiver.test/hook');
    const timers = createFakeTimers();
    const storedFailures = (count: number) =>
      vi.waitFor(async () => {
        await timers.pass(STORE_DELAY_MS);
        expect(await endpointOf(world.storage, endpointId)).toMatchObject({ consecutive_failures: count });
      });
    await emit(world);
    const node = cleanup.use(startNode(world, { timers }));
    await vi.waitFor(() => expect(node.requests).toHaveLength(1));
    await world.storage.write((queries) => queries.updateTable('delivery_lanes').set({ node: null }).execute());
    await timers.pass(COMPARE_INTERVAL_MS);
    await vi.waitFor(async () => expect(await holdersIn(world.storage)).not.toEqual([null]));

    const [second = ''] = await emit(world);
    await world.storage.write((queries) =>
      queries
        .updateTable('delivery_queue')
        .set({ attempt: RETRY_DELAYS_MS.length })
        .where('delivery_id', '=', second)
        .execute(),
    );
    await node.look();
    await vi.waitFor(() => expect(node.requests).toMatchObject([{}, { deliveryId: second }]));
    node.requests[1]?.answer(500);
    await storedFailures(1);
    node.requests[0]?.answer(200);
    await storedFailures(0);
  });
});
