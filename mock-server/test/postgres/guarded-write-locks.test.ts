import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { findObstacles } from '../../src/storage/statements/find-obstacles.ts';
import { lockLanes } from '../../src/storage/statements/lock-lanes.ts';
import { addEndpoint, createWorld, emit, endpointOf } from '../delivery/support/world.ts';

test('a guard that waited for the lane sees what was committed meanwhile', async () => {
  const world = await createWorld();
  await using storage = world.storage;
  const { id } = await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  const lane = await storage.read((queries) =>
    queries.selectFrom('delivery_lanes').selectAll().executeTakeFirstOrThrow(),
  );
  const locked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const counting = storage.write(async (queries) => {
    await lockLanes(queries, [id]);
    locked.resolve();
    await end.promise;
    await queries.updateTable('webhook_endpoints').set({ consecutive_failures: 1 }).where('id', '=', id).execute();
  });
  await locked.promise;
  const writing = storage.writeIf(
    (queries) => findObstacles(queries, [{ endpointId: id, leaseToken: lane.lease_token, ends: true }]),
    (queries) =>
      queries.updateTable('webhook_endpoints').set({ description: 'written' }).where('id', '=', id).execute(),
  );
  await vi.waitFor(async () => {
    const { rows } = await storage.read((queries) => sql`select 1 from pg_locks where not granted`.execute(queries));
    expect(rows).not.toEqual([]);
  });
  end.resolve();
  await counting;
  expect(await writing).toBe(false);
  expect(await endpointOf(storage, id)).toMatchObject({ consecutive_failures: 1, description: null });
});
