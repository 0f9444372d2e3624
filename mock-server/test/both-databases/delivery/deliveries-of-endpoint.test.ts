import { expect, test } from 'vitest';
import type { Cursor } from '../../../src/domain/page-token.ts';
import { disableDeliveries, findDuePlaces } from '../../../src/storage/delivery/queue-places.ts';
import { keysetPage } from '../../../src/storage/keyset.ts';
import { listDeliveries } from '../../../src/storage/statements/deliveries/list.ts';
import { status } from '../../support/delivery/receiver.ts';
import { addEndpoint, emit, MINUTE, startWorld } from '../../support/delivery/world.ts';

/** Deliveries of two endpoints with all statuses, in turns: pending, failed, success, disabled, pending … */
async function startMixed() {
  const world = await startWorld(status(500), { retryDelaysMs: [] });
  const { storage, receiver, engine, clock, endpoint } = world;
  await addEndpoint(world, receiver.url);
  for (let round = 0; round < 3; round++) {
    for (const answer of [status(500), status(200)]) {
      receiver.answer = answer;
      await emit(world);
      await engine.runDue();
    }
    await emit(world);
    await storage.write(async (queries) => {
      const places = await findDuePlaces(queries, [{ endpointId: endpoint.id, retry: 0, limit: 9 }], clock.now());
      await disableDeliveries(queries, places.slice(-1));
    });
    clock.restore(clock.stateAt(clock.now() + MINUTE));
  }
  await emit(world, 3);
  return world;
}

test('Deliveries of an endpoint are listed across all statuses, newest first, page by page in both directions', async () => {
  await using world = await startMixed();
  const { storage, workspaceId, endpoint } = world;
  const page = (filter: object, limit: number, cursor?: Cursor) =>
    keysetPage(
      (bound, count) => storage.read((queries) => listDeliveries(queries, { workspaceId, ...filter }, bound, count)),
      (row) => row.id,
      cursor,
      limit,
    );
  const all = (await page({}, 100)).rows.filter(({ endpoint_id }) => endpoint_id === endpoint.id);
  expect(new Set(all.map((row) => row.status))).toEqual(new Set(['pending', 'success', 'failed', 'disabled']));
  for (const filter of [{}, { eventType: 'lifecycle.evaluated' }, { createdFrom: '2020-01-01T00:00:00Z' }]) {
    for (const limit of [1, 2, 5, 100]) {
      const walk = async (way: 'next' | 'previous', from?: Cursor) => {
        const seen = [];
        for (let cursor: Cursor | null | undefined = from; cursor !== null; ) {
          const found: Awaited<ReturnType<typeof page>> = await page(
            { ...filter, endpointId: endpoint.id },
            limit,
            cursor,
          );
          if (way === 'next') seen.push(...found.rows);
          else seen.unshift(...found.rows);
          cursor = found[way];
        }
        return seen;
      };
      expect(await walk('next')).toEqual(all);
      expect(await walk('previous', { direction: 'previous', key: '', inclusive: true })).toEqual(all);
    }
  }
  expect((await page({ endpointId: endpoint.id, eventType: 'none' }, 5)).rows).toEqual([]);
});

test('A list of one status has exactly the deliveries with that status', async () => {
  await using world = await startMixed();
  const { storage, workspaceId } = world;
  const list = async (filter: object) => {
    const newest = { side: 'after', key: undefined, inclusive: false } as const;
    return (await storage.read((queries) => listDeliveries(queries, { workspaceId, ...filter }, newest, 100))).rows;
  };
  const all = await list({});
  for (const one of ['pending', 'success', 'failed', 'disabled'] as const) {
    for (const endpointId of [undefined, world.endpoint.id]) {
      const has = (row: (typeof all)[number]) =>
        row.status === one && row.endpoint_id === (endpointId ?? row.endpoint_id);
      expect(await list({ status: one, ...(endpointId && { endpointId }) })).toEqual(all.filter(has));
    }
  }
});
