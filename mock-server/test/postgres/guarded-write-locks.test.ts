import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { StorageUnavailableError } from '../../src/storage/port.ts';
import { findObstacles } from '../../src/storage/statements/find-obstacles.ts';
import { lockLanes } from '../../src/storage/statements/lock-lanes.ts';
import { addEndpoint, createWorld, emit, endpointOf } from '../delivery/support/world.ts';

/**
 * Starts a guarded write that waits for a lane of another transaction. `end` stores a failure count in that and
 * commits.
 */
async function startWaiting() {
  const world = await createWorld();
  const { storage } = world;
  const { id } = await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  const lane = await storage.read((queries) =>
    queries.selectFrom('delivery_lanes').selectAll().executeTakeFirstOrThrow(),
  );
  const locked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<{ failures: number }>();
  const counting = storage.write(async (queries) => {
    await lockLanes(queries, [id]);
    locked.resolve();
    const { failures } = await end.promise;
    await queries
      .updateTable('webhook_endpoints')
      .set({ consecutive_failures: failures })
      .where('id', '=', id)
      .execute();
  });
  await locked.promise;
  const write = () =>
    storage.writeIf(
      (queries) => findObstacles(queries, [{ endpointId: id, leaseToken: lane.lease_token, ends: true }]),
      (queries) => queries.updateTable('webhook_endpoints').set({ description: 'written' }).execute(),
    );
  const writing = write();
  // A test may lose the connection before it awaits the write.
  writing.catch(() => {});
  const waiting = () =>
    storage.read(async (queries) => {
      const { rows } = await sql<{ pid: number }>`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(queries);
      return rows[0]?.pid;
    });
  const pid = await vi.waitUntil(waiting);
  return {
    storage,
    writing,
    write,
    pid,
    stored: () => endpointOf(storage, id),
    async end(failures: number) {
      end.resolve({ failures });
      await counting;
    },
    async [Symbol.asyncDispose]() {
      end.resolve({ failures: 0 });
      await Promise.allSettled([counting, writing]);
      await storage[Symbol.asyncDispose]();
    },
  };
}

describe('A guarded write that waits for a lane', () => {
  test('sees what the other transaction commits', async () => {
    await using waiting = await startWaiting();
    await waiting.end(1);
    expect(await waiting.writing).toBe(false);
    expect(await waiting.stored()).toMatchObject({ consecutive_failures: 1, description: null });
  });

  test('has an unknown outcome if its connection is lost, and the next write uses another connection', async () => {
    await using waiting = await startWaiting();
    await waiting.storage.read((queries) => sql`select pg_terminate_backend(${waiting.pid})`.execute(queries));
    const lost = await waiting.writing.catch((error: unknown) => error);
    expect(lost).toBeInstanceOf(StorageUnavailableError);
    expect(lost).toMatchObject({ outcome: 'unknown' });
    await waiting.end(0);
    expect(await waiting.stored()).toMatchObject({ description: null });
    expect(await waiting.write()).toBe(true);
    expect(await waiting.stored()).toMatchObject({ description: 'written' });
  });

  test('finishes even if the storage is closed while it waits', async () => {
    const waiting = await startWaiting();
    const closed = waiting.storage[Symbol.asyncDispose]();
    await waiting.end(0);
    expect(await waiting.writing).toBe(true);
    await closed;
  });
});
