import { describe, expect, it } from 'vitest';
import { type ReleaseOrder, releaseAndDisable } from '../../../src/delivery/queue/release-lanes.ts';
import {
  type ClaimedLane,
  claimLanes,
  lockLanes,
  passOnLanes,
  releaseLanes,
} from '../../../src/storage/delivery/claim-lanes.ts';
import { FIRST_ATTEMPTS_AHEAD_MS } from '../../../src/storage/delivery/lane-turns.ts';
import { beginSession } from '../../../src/storage/delivery/node-sessions.ts';
import { addEndpoint, createWorld, deliveryOf, emit, MINUTE, START, type World } from '../../support/delivery/world.ts';

/** A world in which one session holds these lanes, with one delivery due in each. Another session holds no lane yet. */
async function holdLanes(count: number) {
  const world = await createWorld();
  for (let index = 0; index < count; index++) await addEndpoint(world, 'https://receiver.test/hook');
  const deliveryIds = await emit(world);
  await world.storage.write(async (queries) => {
    await beginSession(queries, 'session');
    await beginSession(queries, 'other');
  });
  const lanes = (await claim(world, count)).sort().map((endpointId) => ({ endpointId, session: 'session' }));
  const deliveries = new Map<string, string>();
  for (const id of deliveryIds) deliveries.set((await deliveryOf(world.storage, id)).endpoint_id, id);
  return {
    world,
    lanes: lanes as [ClaimedLane, ClaimedLane],
    deliveryIn: (lane: ClaimedLane) => deliveries.get(lane.endpointId),
  };
}

/** Claims lanes. @returns their endpoints. */
const claim = ({ storage, clock }: World, limit: number, session = 'session') =>
  storage.write((queries) => claimLanes(queries, { now: clock.now(), session, limit }));

const releaseAs = ({ storage, clock }: World, order: Partial<ReleaseOrder>) =>
  storage.write((queries) =>
    releaseAndDisable(queries, { done: [], closed: [], now: clock.now(), isSkipped: () => false, ...order }),
  );

/** The other session holds the lane. */
const takeAway = ({ storage }: World, { endpointId }: ClaimedLane) =>
  storage.write((queries) =>
    queries.updateTable('delivery_lanes').set({ node: 'other' }).where('endpoint_id', '=', endpointId).execute(),
  );

const setActive = ({ storage }: World, active: 0 | 1) =>
  storage.write((queries) => queries.updateTable('webhook_endpoints').set({ active }).execute());

const rowOf = ({ storage }: World, { endpointId }: ClaimedLane) =>
  storage.read((queries) =>
    queries.selectFrom('delivery_lanes').selectAll().where('endpoint_id', '=', endpointId).executeTakeFirstOrThrow(),
  );

const queued = async ({ storage }: World) =>
  (await storage.read((queries) => queries.selectFrom('delivery_queue').select('delivery_id').execute()))
    .map(({ delivery_id }) => delivery_id)
    .sort();

describe('Lanes are claimed', () => {
  it('in the order of their turns, and a lane that is released with work left is queued last', async () => {
    const { world, lanes } = await holdLanes(3);
    await using storage = world.storage;
    for (const [index, { endpointId }] of lanes.entries()) {
      await storage.write((queries) =>
        queries
          .updateTable('delivery_lanes')
          .set({ turn_at: START - FIRST_ATTEMPTS_AHEAD_MS + index, node: null })
          .where('endpoint_id', '=', endpointId)
          .execute(),
      );
    }
    world.clock.restore(world.clock.stateAt(START + MINUTE));
    const [first, second, third] = lanes.map(({ endpointId }) => endpointId);
    expect(await claim(world, 1)).toEqual([first]);
    await releaseAs(world, { done: [{ ...lanes[0], mayStay: false }] });
    expect([await claim(world, 1), await claim(world, 1), await claim(world, 1)]).toEqual([[second], [third], [first]]);
  });

  it('by a session that exists, and not by one that has ended', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    await storage.write((queries) => queries.updateTable('delivery_lanes').set({ node: null }).execute());
    expect(await claim(world, 5, 'ended')).toEqual([]);
    expect((await claim(world, 5, 'other')).sort()).toEqual(lanes.map(({ endpointId }) => endpointId));
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
    await releaseAs(world, { done: lanes.map((lane) => ({ ...lane, mayStay: false })) });
    world.clock.restore(world.clock.stateAt(START + 10 * MINUTE));
    await setActive(world, 0);
    const { id } = await addEndpoint(world, 'https://receiver.test/new');
    await emit(world);
    const [claimed] = await claim(world, 1);
    return claimed === id ? 'first attempt' : 'retry';
  }

  it('is claimed before lanes whose retries have been due for less than a minute', async () => {
    expect(await claimedFirst(59_999)).toBe('first attempt');
  });

  it('is claimed after a lane whose retry has been due for more than a minute', async () => {
    expect(await claimedFirst(60_001)).toBe('retry');
  });
});

describe('A lane that is released', () => {
  it.each([false, true])('becomes free only if its session holds it (may stay: %s)', async (mayStay) => {
    const { world, lanes } = await holdLanes(2);
    await using _storage = world.storage;
    const [kept, lost] = lanes;
    await takeAway(world, lost);
    const staying = await releaseAs(world, { done: lanes.map((lane) => ({ ...lane, mayStay })) });
    expect(staying).not.toContain(kept.endpointId);
    expect(await rowOf(world, kept)).toMatchObject({ node: null, turn_at: START - FIRST_ATTEMPTS_AHEAD_MS });
    expect(await rowOf(world, lost)).toMatchObject({ node: 'other', turn_at: START - FIRST_ATTEMPTS_AHEAD_MS });
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
    await releaseAs(world, { done: lanes.map((lane) => ({ ...lane, mayStay: false })) });
    expect(await rowOf(world, retrying)).toMatchObject({ turn_at: START + 5 * MINUTE });
    expect(await rowOf(world, empty)).toMatchObject({ turn_at: null, node: null });
  });

  it('is passed on if events are being stored for it: its next turn comes after the lanes that wait', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    const [lane] = lanes;
    await storage.write((queries) => passOnLanes(queries, [lane], START + MINUTE));
    expect(await rowOf(world, lane)).toMatchObject({ node: null, turn_at: START + MINUTE });
  });
});

describe('A session that does not hold a lane', () => {
  it('does not lock, release or pass on the lane, whether the session exists or has ended', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    const [kept, lost] = lanes;
    await takeAway(world, lost);
    const before = [await rowOf(world, kept), await rowOf(world, lost)];
    for (const given of [[{ ...kept, session: 'ended' }], [lost]]) {
      await storage.write(async (queries) => {
        expect(await lockLanes(queries, given)).toEqual(new Set());
        await releaseLanes(queries, given, START + MINUTE);
        await passOnLanes(queries, given, START + MINUTE);
      });
    }
    expect([await rowOf(world, kept), await rowOf(world, lost)]).toEqual(before);
  });
});

describe('Due deliveries of an endpoint that accepts no more deliveries', () => {
  it('end as disabled if the session exists, and are left to other nodes if it has ended', async () => {
    const { world, lanes, deliveryIn } = await holdLanes(2);
    await using storage = world.storage;
    await setActive(world, 0);
    const [kept, lost] = lanes;
    await releaseAs(world, { closed: [kept, { ...lost, session: 'ended' }] });
    expect(await deliveryOf(storage, deliveryIn(kept))).toMatchObject({ status: 'disabled', next_attempt_at: null });
    expect(await deliveryOf(storage, deliveryIn(lost))).toMatchObject({ status: 'pending', next_attempt_at: START });
    expect(await queued(world)).toEqual([deliveryIn(lost)]);
  });

  it('end as disabled if the endpoint was deleted', async () => {
    const { world, lanes, deliveryIn } = await holdLanes(2);
    await using storage = world.storage;
    await storage.write(async (queries) => {
      await queries.deleteFrom('webhook_secrets').execute();
      await queries.deleteFrom('webhook_endpoints').execute();
    });
    await releaseAs(world, { closed: lanes });
    for (const lane of lanes) expect(await deliveryOf(storage, deliveryIn(lane))).toMatchObject({ status: 'disabled' });
  });

  it('are left alone while in flight: the attempt decides how they end', async () => {
    const { world, lanes, deliveryIn } = await holdLanes(2);
    await using storage = world.storage;
    await setActive(world, 0);
    const [first, second] = lanes;
    await releaseAs(world, { closed: lanes, isSkipped: (id) => id === deliveryIn(first) });
    expect(await deliveryOf(storage, deliveryIn(first))).toMatchObject({ status: 'pending' });
    expect(await deliveryOf(storage, deliveryIn(second))).toMatchObject({ status: 'disabled' });
    expect(await queued(world)).toEqual([deliveryIn(first)]);
  });
});

describe('A delivery to an endpoint that was activated after the look that found it inactive', () => {
  it('is not disabled if it was accepted while the endpoint was active', async () => {
    const { world, lanes } = await holdLanes(2);
    await using storage = world.storage;
    await setActive(world, 0);
    // The look has found both lanes closed.
    await setActive(world, 1);
    const accepted = await emit(world);
    await releaseAs(world, { closed: lanes });
    for (const id of accepted) expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending' });
    expect(await queued(world)).toEqual(expect.arrayContaining(accepted));
  });
});
