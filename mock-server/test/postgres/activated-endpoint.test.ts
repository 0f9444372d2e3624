import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { releaseAndDisable } from '../../src/delivery/queue/release-lanes.ts';
import { beginOther } from '../support/delivery/sessions.ts';
import { addEndpoint, createWorld, deliveryOf, emit, endpointOf } from '../support/delivery/world.ts';

test('an endpoint becomes active only after its due deliveries have ended as disabled', async () => {
  const world = await createWorld();
  await using storage = world.storage;
  const { id: endpointId } = await addEndpoint(world, 'https://receiver.test/hook');
  const [id] = await emit(world);
  await beginOther(storage, 'session');
  await storage.write((queries) => queries.updateTable('webhook_endpoints').set({ active: 0 }).execute());

  const closed = [{ endpointId, session: 'session' }];
  const order = { done: [], closed, now: world.clock.now(), isSkipped: () => false };
  const given = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const giving = storage.write(async (queries) => {
    await releaseAndDisable(queries, order);
    given.resolve();
    await end.promise;
  });
  await given.promise;
  const activating = storage.write((queries) =>
    queries.updateTable('webhook_endpoints').set({ active: 1 }).where('id', '=', endpointId).execute(),
  );
  const waiting = () =>
    storage.read(async (queries) => {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(queries);
      return rows.length > 0;
    });
  await vi.waitUntil(waiting);
  expect(await endpointOf(storage, endpointId)).toMatchObject({ active: 0 });

  end.resolve();
  await Promise.all([giving, activating]);
  expect(await deliveryOf(storage, id)).toMatchObject({ status: 'disabled' });
  expect(await endpointOf(storage, endpointId)).toMatchObject({ active: 1 });
});
