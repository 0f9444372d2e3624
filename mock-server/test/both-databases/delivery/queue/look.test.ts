import { describe, expect, test } from 'vitest';
import type { LaneToFill } from '../../../../src/delivery/lanes/lane.ts';
import { lookAtLanes } from '../../../../src/delivery/queue/look.ts';
import { addEndpoint, createWorld, emit, MINUTE, START, type World } from '../../../support/delivery/world.ts';

/** Turns deliveries into retries that are due `ms` after the start. */
const postpone = ({ storage }: World, ids: readonly string[], ms: number) =>
  storage.write((queries) =>
    queries
      .updateTable('delivery_queue')
      .set({ retry: 1, due_at: START + ms })
      .where('delivery_id', 'in', ids)
      .execute(),
  );

/** The result of a look at one lane. */
async function look(world: World, lane: Omit<LaneToFill, 'session' | 'chosen'>, inHand: readonly string[] = []) {
  const looks = await world.storage.read((queries) =>
    lookAtLanes(queries, [{ ...lane, chosen: 0 }], world.clock.now(), (id) => inHand.includes(id)),
  );
  const { found, ...rest } = looks.get(lane.endpointId) ?? {};
  const { deliveries = [] } = found ?? {};
  return { ids: deliveries.map(({ id }) => id), deliveries, ...rest };
}

async function startWith(events: number) {
  const world = await createWorld();
  const { id: endpointId } = await addEndpoint(world, 'https://receiver.test/hook');
  const ids = await emit(world, events);
  return { world, endpointId, ids, [Symbol.asyncDispose]: () => world.storage[Symbol.asyncDispose]() };
}

describe('A look at what is due', () => {
  test('returns the earliest deliveries in full, and whether there may be more', async () => {
    await using started = await startWith(3);
    const { world, endpointId, ids } = started;
    const first = await look(world, { endpointId, room: 2, inHand: 0 });
    expect(first).toMatchObject({ ids: ids.slice(0, 2), mayHaveMore: true, hasInHand: false });
    expect(first.deliveries[0]).toMatchObject({
      endpointId,
      workspaceId: world.workspaceId,
      eventType: 'lifecycle.evaluated',
      attemptsMade: 0,
      body: expect.stringContaining(world.workspaceId),
      place: { endpointId, retry: 0, dueAt: START, deliveryId: ids[0] },
    });
    expect(await look(world, { endpointId, room: 4, inHand: 0 })).toMatchObject({ ids, mayHaveMore: false });
  });

  test('skips deliveries in hand', async () => {
    await using started = await startWith(4);
    const { world, endpointId, ids } = started;
    const found = await look(world, { endpointId, room: 1, inHand: 2 }, ids.slice(0, 2));
    expect(found).toMatchObject({ ids: [ids[2]], mayHaveMore: true, hasInHand: true });
  });

  test('continues where an earlier look stopped, in each part of the lane', async () => {
    await using started = await startWith(6);
    const { world, endpointId, ids } = started;
    await postpone(world, ids.slice(3), -MINUTE);
    const before = await look(world, { endpointId, room: 8, inHand: 0 });
    const place = (id: string | undefined) => before.deliveries.find((delivery) => delivery.id === id)?.place;
    const cameTo = [place(ids[0]), place(ids[4])] as const;
    const found = await look(world, { endpointId, room: 8, inHand: 3, cameTo });
    expect(found).toMatchObject({ ids: [ids[1], ids[2], ids[5]], hasInHand: false });
    // A delivery may have been added before that place in the meantime. Only a look from the head finds it.
    expect(found.mayHaveMore).toBe(true);
  });

  test('finds nothing after the last delivery, and nothing that is not due yet', async () => {
    await using started = await startWith(2);
    const { world, endpointId, ids } = started;
    await postpone(world, ids.slice(1), 1);
    const [first] = (await look(world, { endpointId, room: 8, inHand: 0 })).deliveries;
    expect(await look(world, { endpointId, room: 8, inHand: 1, cameTo: [first?.place, undefined] })).toMatchObject({
      ids: [],
      mayHaveMore: true,
      mustDisable: false,
    });
    world.clock.restore({ frozenAt: START + 1 });
    expect(await look(world, { endpointId, room: 8, inHand: 1, cameTo: [first?.place, undefined] })).toMatchObject({
      ids: [ids[1]],
    });
  });

  test('reports endpoints that are closed', async () => {
    await using started = await startWith(2);
    const { world, endpointId, ids } = started;
    expect(await look(world, { endpointId, room: 8, inHand: 0 })).toMatchObject({ ids, mustDisable: false });
    await world.storage.write((queries) =>
      queries.updateTable('webhook_endpoints').set({ active: 0 }).where('id', '=', endpointId).execute(),
    );
    expect(await look(world, { endpointId, room: 8, inHand: 0 })).toMatchObject({ ids: [], mustDisable: true });
  });
});
