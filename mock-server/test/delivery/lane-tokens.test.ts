import { describe, expect, it } from 'vitest';
import { claim } from '../../src/delivery/claim.ts';
import { type GiveBackOrder, giveBack } from '../../src/delivery/give-back.ts';
import { LEASE_MS } from '../../src/delivery/limits.ts';
import type { ClaimedLane } from '../../src/storage/statements/claim-lanes.ts';
import { extendLeases } from '../../src/storage/statements/extend-leases.ts';
import { lockFreeLanes } from '../../src/storage/statements/lock-free-lanes.ts';
import { passOnLanes } from '../../src/storage/statements/pass-on-lanes.ts';
import { releaseLanes } from '../../src/storage/statements/release-lanes.ts';
import { FIRST_ATTEMPTS_AHEAD_MS } from '../../src/storage/statements/touch-lanes.ts';
import { addEndpoint, createWorld, deliveryOf, emit, MINUTE, START, type World } from './support/world.ts';

/** A world in which one node holds these lanes, with one delivery due in each and leases that are about to end. */
async function holdLanes(count: number) {
  const world = await createWorld();
  for (let index = 0; index < count; index++) await addEndpoint(world, 'https://receiver.test/hook');
  const deliveryIds = await emit(world);
  const { claimed } = await claimAs(world, { limit: count });
  await world.storage.write((queries) => queries.updateTable('delivery_lanes').set({ lease_until: 1 }).execute());
  const lanes = claimed.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
  const deliveries = new Map<string, string>();
  for (const id of deliveryIds) deliveries.set((await deliveryOf(world.storage, id)).endpoint_id, id);
  return {
    world,
    lanes: lanes as [ClaimedLane, ClaimedLane],
    deliveryIn: (lane: ClaimedLane) => deliveries.get(lane.endpointId),
  };
}

const claimAs = (
  { storage, clock }: World,
  order: { extending?: readonly ClaimedLane[]; held?: readonly string[]; limit?: number },
) => storage.write((queries) => claim(queries, { now: clock.now(), extending: [], held: [], limit: 0, ...order }));

const giveBackAs = ({ storage, clock }: World, order: Partial<GiveBackOrder>) =>
  storage.write((queries) =>
    giveBack(queries, { done: [], closed: [], missing: [], now: clock.now(), isInHand: () => false, ...order }),
  );

/** Another node claims the lane after its lease ran out. */
const takeAway = ({ storage }: World, { endpointId }: ClaimedLane) =>
  storage.write((queries) =>
    queries
      .updateTable('delivery_lanes')
      .set((eb) => ({ lease_token: eb('lease_token', '+', 1), lease_until: 2 }))
      .where('endpoint_id', '=', endpointId)
      .execute(),
  );

const rowOf = ({ storage }: World, { endpointId }: ClaimedLane) =>
  storage.read((queries) =>
    queries.selectFrom('delivery_lanes').selectAll().where('endpoint_id', '=', endpointId).executeTakeFirstOrThrow(),
  );

const queued = async ({ storage }: World) =>
  (await storage.read((queries) => queries.selectFrom('delivery_queue').select('delivery_id').execute()))
    .map(({ delivery_id }) => delivery_id)
    .sort();

describe('A lease that is extended', () => {
  it('lasts longer if the node still holds the lane, and is reported lost if another node has it', async () => {
    const { world, lanes } = await holdLanes(2);
    await using _storage = world.storage;
    const [kept, lost] = lanes;
    await takeAway(world, lost);
    expect(await claimAs(world, { extending: lanes })).toEqual({ claimed: [], extended: [kept], lost: [lost] });
    expect((await rowOf(world, kept)).lease_until).toBeGreaterThan(2);
    expect(await rowOf(world, lost)).toMatchObject({ lease_until: 2, lease_token: lost.leaseToken + 1 });
  });

  it('is extended before lanes are claimed, and held lanes are not claimed even if their leases were swept', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    const [extended, swept] = lanes;
    await storage.write((queries) => queries.updateTable('delivery_lanes').set({ lease_until: null }).execute());
    const held = [swept.endpointId];
    expect(await claimAs(world, { extending: [extended], held, limit: 5 })).toMatchObject({
      claimed: [],
      extended: [extended],
    });
    expect(await claimAs(world, { limit: 5 })).toMatchObject({ claimed: [{ endpointId: swept.endpointId }] });
  });
});

describe('Lanes are claimed', () => {
  it('in the order of their turns, and a lane that is given back with work left is queued last', async () => {
    const { world, lanes } = await holdLanes(3);
    await using storage = world.storage;
    for (const [index, { endpointId }] of lanes.entries()) {
      await storage.write((queries) =>
        queries
          .updateTable('delivery_lanes')
          .set({ turn_at: START - FIRST_ATTEMPTS_AHEAD_MS + index, lease_until: null })
          .where('endpoint_id', '=', endpointId)
          .execute(),
      );
    }
    world.clock.restore(world.clock.stateAt(START + MINUTE));
    const [first, second, third] = lanes.map(({ endpointId }) => endpointId);
    const claimOne = async () => (await claimAs(world, { limit: 1 })).claimed[0] as ClaimedLane;
    const claimed = await claimOne();
    expect(claimed.endpointId).toBe(first);
    await giveBackAs(world, { done: [{ ...claimed, mayStay: false }] });
    expect([(await claimOne()).endpointId, (await claimOne()).endpointId, (await claimOne()).endpointId]).toEqual([
      second,
      third,
      first,
    ]);
  });
});

describe('A lane with a first attempt', () => {
  /**
   * Claims from lanes whose retries have been due this long and one with a new first attempt. @returns which comes
   * first.
   */
  async function claimedFirst(retryDueForMs: number) {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    const retries = { retry: 1, due_at: START + 10 * MINUTE - retryDueForMs };
    await storage.write((queries) => queries.updateTable('delivery_queue').set(retries).execute());
    await giveBackAs(world, { done: lanes.map((lane) => ({ ...lane, mayStay: false })) });
    world.clock.restore(world.clock.stateAt(START + 10 * MINUTE));
    await storage.write((queries) => queries.updateTable('webhook_endpoints').set({ active: 0 }).execute());
    const { id } = await addEndpoint(world, 'https://receiver.test/new');
    await emit(world);
    const { claimed } = await claimAs(world, { limit: 1 });
    return claimed[0]?.endpointId === id ? 'first attempt' : 'retry';
  }

  it('is claimed before lanes whose retries have been due for less than a minute', async () => {
    expect(await claimedFirst(59_999)).toBe('first attempt');
  });

  it('is claimed after a lane whose retry has been due for more than a minute', async () => {
    expect(await claimedFirst(60_001)).toBe('retry');
  });
});

describe('A lane that is given back', () => {
  it('becomes free if the node still holds it, and stays with another node that holds it', async () => {
    const { world, lanes } = await holdLanes(2);
    await using _storage = world.storage;
    const [kept, lost] = lanes;
    await takeAway(world, lost);
    for (const mayStay of [false, true]) {
      const staying = await giveBackAs(world, { done: lanes.map((lane) => ({ ...lane, mayStay })) });
      expect([...staying].filter((endpointId) => endpointId === kept.endpointId)).toEqual([]);
    }
    expect(await rowOf(world, kept)).toMatchObject({ lease_until: null, turn_at: START - FIRST_ATTEMPTS_AHEAD_MS });
    expect(await rowOf(world, lost)).toMatchObject({ lease_until: 2, turn_at: START - FIRST_ATTEMPTS_AHEAD_MS });
  });

  it('gets its next turn when its earliest delivery is due, whether first attempt or retry', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    const [retrying, empty] = lanes;
    await emit(world);
    const places = await queued(world);
    await storage.write(async (queries) => {
      const first = places.filter((_, index) => index < 2);
      await queries.deleteFrom('delivery_queue').where('endpoint_id', '=', empty.endpointId).execute();
      await queries
        .updateTable('delivery_queue')
        .set({ due_at: START + 10 * MINUTE })
        .where('endpoint_id', '=', retrying.endpointId)
        .execute();
      await queries
        .updateTable('delivery_queue')
        .set({ due_at: START + 5 * MINUTE, retry: 1 })
        .where('endpoint_id', '=', retrying.endpointId)
        .where('delivery_id', 'in', first)
        .execute();
    });
    await giveBackAs(world, { done: lanes.map((lane) => ({ ...lane, mayStay: false })) });
    expect(await rowOf(world, retrying)).toMatchObject({
      head_due_at: START + 5 * MINUTE,
      turn_at: START + 5 * MINUTE,
    });
    expect(await rowOf(world, empty)).toMatchObject({ head_due_at: null, turn_at: null, lease_until: null });
  });

  it('is passed on if events are being stored for it: its next turn comes after the lanes that wait', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    const [lane] = lanes;
    await storage.write((queries) => passOnLanes(queries, [lane], START + MINUTE));
    expect(await rowOf(world, lane)).toMatchObject({ lease_until: null, turn_at: START + MINUTE, head_due_at: START });
  });
});

describe('A token that is not the current one', () => {
  it('does not claim, extend, give back or pass on a lane', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    const [kept, lost] = lanes;
    const wrong = [{ ...kept, leaseToken: kept.leaseToken - 1 }];
    await takeAway(world, lost);
    const before = [await rowOf(world, kept), await rowOf(world, lost)];
    for (const given of [wrong, [lost]]) {
      await storage.write(async (queries) => {
        expect(await lockFreeLanes(queries, given)).toEqual(new Set());
        await extendLeases(queries, given, LEASE_MS);
        await releaseLanes(queries, given, START + MINUTE);
        await passOnLanes(queries, given, START + MINUTE);
      });
    }
    expect([await rowOf(world, kept), await rowOf(world, lost)]).toEqual(before);
  });
});

describe('Due deliveries of an endpoint that accepts no more deliveries', () => {
  it('end as disabled if the node holds the lane, and are left to another node that holds it', async () => {
    const { world, lanes, deliveryIn } = await holdLanes(2);
    await using storage = world.storage;
    const [kept, lost] = lanes;
    await takeAway(world, lost);
    await giveBackAs(world, { closed: lanes });
    expect(await deliveryOf(storage, deliveryIn(kept))).toMatchObject({ status: 'disabled', next_attempt_at: null });
    expect(await deliveryOf(storage, deliveryIn(lost))).toMatchObject({ status: 'pending', next_attempt_at: START });
    expect(await queued(world)).toEqual([deliveryIn(lost)]);
  });

  it('are left alone while in flight: the attempt decides how they end', async () => {
    const { world, lanes, deliveryIn } = await holdLanes(2);
    await using storage = world.storage;
    const [first, second] = lanes;
    await giveBackAs(world, { closed: lanes, isInHand: (id) => id === deliveryIn(first) });
    expect(await deliveryOf(storage, deliveryIn(first))).toMatchObject({ status: 'pending' });
    expect(await deliveryOf(storage, deliveryIn(second))).toMatchObject({ status: 'disabled' });
    expect(await queued(world)).toEqual([deliveryIn(first)]);
  });
});
