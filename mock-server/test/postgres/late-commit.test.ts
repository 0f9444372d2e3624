import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { type Storage, StorageUnavailableError } from '../../src/storage/port.ts';
import { createFakeTimers } from '../support/delivery/fake-timers.ts';
import { type LaneChange, watchLanes } from '../support/delivery/lane-changes.ts';
import { startNode } from '../support/delivery/node.ts';
import { holdersIn } from '../support/delivery/sessions.ts';
import { addEndpoint, createWorld, emit } from '../support/delivery/world.ts';

/**
 * The database keeps the commit of the first claim, or the first release, for a while, as it does if a synchronous
 * stand-by is away. Meanwhile the transaction holds its locks, nobody sees it, and the node gives up waiting for the
 * reply.
 */
function delayCommit(database: Storage, delayed: LaneChange) {
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  const end = Promise.withResolvers<void>();
  let delaying: Promise<unknown> | undefined;
  let readsSince = 0;
  let isLost = false;
  const watched = watchLanes(database, {
    async committing(change) {
      if (change !== delayed || isLost) return;
      isLost = true;
      lost.reject(new StorageUnavailableError('No reply.', { outcome: 'unknown' }));
      await end.promise;
    },
  });
  const storage: Storage = {
    ...watched,
    async read(work) {
      const result = await database.read(work);
      if (isLost) readsSince++;
      return result;
    },
    write(work, options) {
      if (isLost) return watched.write(work, options);
      const written = watched.write(work, options);
      delaying = written.catch(() => {});
      return Promise.race([written, lost.promise]);
    },
  };
  const isWaitedFor = () =>
    database.read(async (queries) => {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(queries);
      return rows.length > 0;
    });
  return {
    storage,
    isLost: () => isLost,
    /** The node has looked at its lanes, or waits until it can. */
    hasLooked: async () => readsSince > 0 || (await isWaitedFor()),
    async commit() {
      end.resolve();
      await delaying;
    },
  };
}

/** A node whose first claim or release is committed only after the node has looked at its lanes again. */
async function startDelayed(delayed: LaneChange) {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld();
  cleanup.use(world.storage);
  await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  const timers = createFakeTimers();
  const delay = delayCommit(world.storage, delayed);
  // It does not renew its session, so its first read after the failure is that of its lanes.
  const node = cleanup.use(startNode(world, { timers, storage: delay.storage, isShared: false }));
  cleanup.defer(delay.commit);
  if (delayed === 'release') {
    await vi.waitFor(() => expect(node.requests).toHaveLength(1));
    node.requests[0]?.answer(200);
  }
  await vi.waitUntil(() => delay.isLost() && !node.dispatcher.isHealthy());
  await timers.pass(100);
  await vi.waitUntil(delay.hasLooked);
  await delay.commit();
  const owned = cleanup.move();
  return { world, timers, node, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a claim that is committed late is found: its lane does not stay with a node that does not know it', async () => {
  await using delayed = await startDelayed('claim');
  const { timers, node } = delayed;
  await vi.waitFor(async () => {
    await timers.pass(100);
    await node.look();
    expect(node.requests).toHaveLength(1);
  });
});

test('a release that is committed late is found: the node does not send what another node sends', async () => {
  await using delayed = await startDelayed('release');
  const { world, timers, node } = delayed;
  // Until its take ends, the node may claim the free lane again.
  await vi.waitUntil(() => node.dispatcher.isHealthy());
  expect(await holdersIn(world.storage)).toEqual([null]);
  const [later] = await emit(world);
  await using other = startNode(world, { timers });
  await vi.waitFor(() => expect(other.requests).toMatchObject([{ deliveryId: later }]));
  await timers.pass(1_000);
  await node.look();
  expect(node.requests).toHaveLength(1);
});
