import { describe, expect, test, vi } from 'vitest';
import { claim } from '../../src/delivery/claim.ts';
import { type HeldAttempt, writeBackAtOnce } from '../../src/delivery/write-back.ts';
import { addEndpoint, attemptsOf, createWorld, deliveryOf, emit, endpointOf, startWorld } from './support/world.ts';

/** A world with a held lane, and results of attempts in it. */
async function holdLane(deliveries: number) {
  const world = await createWorld();
  const { storage, clock } = world;
  const { id: endpointId } = await addEndpoint(world, 'https://receiver.test/hook');
  const ids = await emit(world, deliveries);
  const order = { now: clock.now(), extending: [], held: [], limit: 1 };
  const { claimed } = await storage.write((queries) => claim(queries, order));
  const leaseToken = claimed[0]?.leaseToken ?? 0;
  const place = (deliveryId: string) => ({ endpointId, retry: 0, dueAt: clock.now(), deliveryId });
  const resultOf = (id: string, transition: HeldAttempt['transition'], token = leaseToken): HeldAttempt => ({
    id: world.ids.nextBare(),
    delivery: {
      id,
      endpointId,
      workspaceId: world.workspaceId,
      eventId: 'evt_1',
      eventType: 'lifecycle.evaluated',
      attemptsMade: 0,
      body: '{}',
      traceparent: null,
      place: place(id),
    },
    number: 1,
    url: 'https://receiver.test/hook',
    startedAt: clock.now(),
    endedAt: clock.now(),
    requestHeaders: {},
    answer: { status: 200, headers: {}, body: '' },
    responseTimeMs: 1,
    error: null,
    transition,
    leaseToken: token,
  });
  const setFailures = (count: number) =>
    storage.write((queries) => queries.updateTable('webhook_endpoints').set({ consecutive_failures: count }).execute());
  const statuses = async () => Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
  return {
    ...world,
    ids,
    leaseToken,
    resultOf,
    setFailures,
    statuses,
    [Symbol.asyncDispose]: storage[Symbol.asyncDispose],
  };
}

const SUCCESS = { status: 'success', deliveredAt: 1 } as const;
const RETRY = { status: 'pending', nextAttemptAt: Number.MAX_SAFE_INTEGER } as const;

describe('A write-back without a look', () => {
  test('succeeds if the lane is held and no failures are counted', async () => {
    await using held = await holdLane(2);
    const results = held.ids.map((id) => held.resultOf(id, SUCCESS));
    expect(await writeBackAtOnce(held.storage, results)).toBe(true);
    expect(await held.statuses()).toEqual(['success', 'success']);
    expect(await attemptsOf(held.storage, held.ids[0])).toMatchObject([{ id: results[0]?.id, late: 0 }]);
  });

  test('writes nothing if the lane is held under another token', async () => {
    await using held = await holdLane(1);
    const results = held.ids.map((id) => held.resultOf(id, SUCCESS, held.leaseToken + 1));
    expect(await writeBackAtOnce(held.storage, results)).toBe(false);
    expect(await held.statuses()).toEqual(['pending']);
    expect(await attemptsOf(held.storage, held.ids[0])).toEqual([]);
  });

  test.each([0, 1])(
    'writes nothing if only the result at index %i is from another claim of the lane',
    async (other) => {
      await using held = await holdLane(2);
      const results = held.ids.map((id, index) =>
        held.resultOf(id, SUCCESS, held.leaseToken + (index === other ? 1 : 0)),
      );
      expect(await writeBackAtOnce(held.storage, results)).toBe(false);
      expect(await held.statuses()).toEqual(['pending', 'pending']);
    },
  );

  test.each([{ transitions: [SUCCESS, RETRY] }, { transitions: [RETRY, SUCCESS] }])(
    'writes nothing if a success would end a count of failures',
    async ({ transitions }) => {
      await using held = await holdLane(2);
      await held.setFailures(1);
      const results = transitions.map((transition, index) => held.resultOf(String(held.ids[index]), transition));
      expect(await writeBackAtOnce(held.storage, results)).toBe(false);
      expect(await held.statuses()).toEqual(['pending', 'pending']);
    },
  );

  test('succeeds if failures are counted and no delivery ended, and leaves the count unchanged', async () => {
    await using held = await holdLane(1);
    await held.setFailures(1);
    const results = held.ids.map((id) => held.resultOf(id, RETRY));
    expect(await writeBackAtOnce(held.storage, results)).toBe(true);
    expect(await attemptsOf(held.storage, held.ids[0])).toHaveLength(1);
  });

  test('writes nothing if a delivery failed permanently', async () => {
    await using held = await holdLane(1);
    const results = held.ids.map((id) => held.resultOf(id, { status: 'failed' }));
    expect(await writeBackAtOnce(held.storage, results)).toBe(false);
  });
});

describe('A success whose lease was lost while it was in flight', () => {
  test('is logged as late, and changes nothing', async () => {
    const answer = Promise.withResolvers<() => void>();
    await using world = await startWorld((_request, response) => answer.resolve(() => response.writeHead(200).end()), {
      paused: false,
    });
    const { storage } = world;
    const [id] = await emit(world);
    world.engine.wake();
    const respond = await answer.promise;
    await storage.write((queries) =>
      queries
        .updateTable('delivery_lanes')
        .set((eb) => ({ lease_token: eb('lease_token', '+', 1), lease_until: Number.MAX_SAFE_INTEGER }))
        .execute(),
    );
    respond();
    await vi.waitFor(async () => expect(await attemptsOf(storage, id)).toMatchObject([{ late: 1 }]));
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 0 });
  });
});

describe('Deliveries of one endpoint that end at the same time', () => {
  test('are counted in the order in which they ended: no five of them failed in a row', async () => {
    let requests = 0;
    await using world = await startWorld((_request, response) => response.writeHead(requests++ % 2 ? 200 : 500).end(), {
      retryDelaysMs: [],
    });
    for (let round = 0; round < 10; round++) {
      await emit(world, 12);
      await world.engine.runDue();
      expect(await endpointOf(world.storage, world.endpoint.id)).toMatchObject({ active: 1 });
    }
    expect(requests).toBe(120);
  });

  test('are counted in that order even while a failure is being written back', async () => {
    let answers = 0;
    await using world = await startWorld((_request, response) => response.writeHead(answers++ ? 200 : 500).end(), {
      retryDelaysMs: [],
      endpointConcurrency: 1,
    });
    for (let round = 0; round < 20; round++) {
      answers = 0;
      await emit(world, 2);
      await world.engine.runDue();
      expect(await endpointOf(world.storage, world.endpoint.id)).toMatchObject({ consecutive_failures: 0 });
    }
  });
});
