import { describe, expect, test } from 'vitest';
import { lowestIdAt, timeOfId } from '../../src/domain/id-time.ts';
import { raiseIdLead } from '../../src/storage/changes/ids.ts';
import { acceptEvents } from '../../src/storage/delivery/accept.ts';
import type { Storage } from '../../src/storage/port.ts';
import { listDeliveries } from '../../src/storage/statements/deliveries/list.ts';
import { findDeliveriesOfEvent } from '../../src/storage/statements/deliveries/read.ts';
import { addEndpoint, createWorld, emit, START } from '../support/delivery/world.ts';

const HOUR = 3_600_000;

/** A delivery whose id was generated `msAfter` after it and its event. The clock was once set back by `setBackMs`. */
async function drawn(msAfter: number, setBackMs = 0) {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld();
  const storage = cleanup.use(world.storage);
  await addEndpoint(world, 'http://127.0.0.1:9/');
  const [drawnAtOnce] = await emit(world);
  const id = lowestIdAt('webhookDelivery', START + msAfter);
  const { event_id } = await storage.write(async (queries) => {
    await raiseIdLead(queries, setBackMs);
    const change = queries.updateTable('deliveries').set({ id }).where('id', '=', String(drawnAtOnce));
    return await change.returning('event_id').executeTakeFirstOrThrow();
  });
  const bound = { side: 'after', key: undefined, inclusive: false } as const;
  const owned = cleanup.move();
  return {
    id,
    async within(from: number, to: number) {
      const filter = {
        workspaceId: world.workspaceId,
        createdFrom: new Date(from).toISOString(),
        createdTo: new Date(to).toISOString(),
      };
      const { rows } = await storage.read((queries) => listDeliveries(queries, filter, bound, 20));
      return rows.map((row) => row.id);
    },
    ofEvent: () => idsOfEvent(storage, event_id),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const idsOfEvent = async (storage: Storage, eventId: string) => {
  const rows = await storage.read((queries) => findDeliveriesOfEvent(queries, eventId));
  return rows?.map(({ id }) => id);
};

test('A delivery has the creation time of its id, even if the clock moved after its event was created', async () => {
  const world = await createWorld();
  await using storage = world.storage;
  await addEndpoint(world, 'http://127.0.0.1:9/');
  const { workspaceId, clock, ids } = world;
  const event = { id: ids.next('event'), workspaceId, type: 'lifecycle.evaluated', createdAt: START };
  clock.restore(clock.stateAt(START + HOUR));
  const [[delivery] = []] = await storage.write((queries) => acceptEvents(queries, { ids, clock }, [event]));
  expect(delivery?.createdAt).toBe(START + HOUR);
  expect(timeOfId(String(delivery?.id))).toBe(START + HOUR);
  expect(await idsOfEvent(storage, event.id)).toEqual([delivery?.id]);
});

describe('A delivery whose id was generated', () => {
  test.each([-3, -1, 0, 1, 3])('%i ms after its creation is found by its creation time alone', async (ms) => {
    await using delivery = await drawn(ms);
    expect(await delivery.within(START, START)).toEqual([delivery.id]);
    expect(await delivery.within(START + 1, START + 9)).toEqual([]);
    expect(await delivery.within(START - 9, START - 1)).toEqual([]);
  });

  test.each([-60_000, 60_000])('%i ms after its creation is found by its creation time', async (ms) => {
    await using delivery = await drawn(ms);
    expect(await delivery.within(START, START)).toEqual([delivery.id]);
  });

  test.each([-60_001, 60_001])('%i ms after its creation is not found by its creation time', async (ms) => {
    await using delivery = await drawn(ms);
    expect(await delivery.within(START, START)).toEqual([]);
  });

  test('long after its event is found by its event', async () => {
    await using delivery = await drawn(30 * 24 * HOUR);
    expect(await delivery.ofEvent()).toEqual([delivery.id]);
  });

  test('an hour and 61 s after its creation is found by its creation time, if the clock was set back by an hour', async () => {
    await using delivery = await drawn(HOUR + 61_000, HOUR);
    expect(await delivery.within(START, START)).toEqual([delivery.id]);
  });

  test('an hour and 61.001 s after its creation is not found by its creation time, if the clock was set back by an hour', async () => {
    await using delivery = await drawn(HOUR + 61_001, HOUR);
    expect(await delivery.within(START, START)).toEqual([]);
  });
});
