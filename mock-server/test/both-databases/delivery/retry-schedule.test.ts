import { RETRY_DELAYS_MS } from '@svc/contract';
import { describe, expect, it } from 'vitest';
import { status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  MINUTE,
  START,
  startEngine,
  startWorld,
} from '../../support/delivery/world.ts';

describe('States and transitions: retry schedule', () => {
  it('a delivery to a receiver that keeps failing gets 11 attempts, each at its documented time and not a millisecond sooner, and ends failed', async () => {
    await using world = await startWorld(status(503));
    const { receiver, storage, engine } = world;
    const [id] = await emit(world);

    for (let due = await engine.nextDueAt(); due !== undefined; due = await engine.nextDueAt()) {
      if (due > START) {
        world.clock.restore(world.clock.stateAt(due - 1));
        expect(await engine.runDue()).toBe(0);
      }
      world.clock.restore(world.clock.stateAt(due));
      expect(await engine.runDue()).toBe(1);
    }

    const dueAt = [START];
    for (const delay of RETRY_DELAYS_MS) dueAt.push((dueAt.at(-1) ?? 0) + delay);
    const attempts = await attemptsOf(storage, id);
    expect(attempts.map((attempt) => attempt.started_at)).toEqual(dueAt);
    expect(attempts.map((attempt) => attempt.ended_at)).toEqual(dueAt);
    expect(attempts.map((attempt) => attempt.number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(receiver.requests).toHaveLength(11);
    expect(new Set(receiver.requests.map((request) => request.headers['webhook-id']))).toEqual(new Set([id]));
    expect(await deliveryOf(storage, id)).toMatchObject({
      status: 'failed',
      attempt: 11,
      error: 'HTTP 503',
      response_status: 503,
      delivered_at: null,
      next_attempt_at: null,
    });
  });

  it('a successful retry ends the delivery, which records the time of the success', async () => {
    await using world = await startWorld(status(500));
    const { receiver, storage, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    expect(await deliveryOf(storage, id)).toMatchObject({
      status: 'pending',
      attempt: 1,
      error: 'HTTP 500',
      next_attempt_at: START + 5 * MINUTE,
    });

    receiver.answer = status(204);
    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    await engine.runDue();
    expect(await deliveryOf(storage, id)).toMatchObject({
      status: 'success',
      attempt: 2,
      error: null,
      response_status: 204,
      delivered_at: START + 5 * MINUTE,
      next_attempt_at: null,
    });
    expect(await engine.nextDueAt()).toBeUndefined();
  });

  it('jitter adds to a delay, up to its percentage, and never shortens it', async () => {
    await using world = await startWorld(status(500), { retryJitterPercent: 10 });
    const { storage, engine } = world;
    const ids = await emit(world, 20);
    await engine.runDue();
    const dueAt = await Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).next_attempt_at ?? 0));
    for (const at of dueAt) {
      expect(at).toBeGreaterThanOrEqual(START + 5 * MINUTE);
      expect(at).toBeLessThanOrEqual(START + 5.5 * MINUTE);
    }
    expect(new Set(dueAt).size).toBeGreaterThan(1);
  });

  it('a delay counts from the end of the previous attempt, not from its start', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, 'https://receiver.test/hook');
    await using engine = await startEngine(world, {
      async send() {
        world.clock.restore(world.clock.stateAt(START + 7_000));
        return new Response(null, { status: 500 });
      },
    });
    const [id] = await emit(world);
    await engine.runDue();
    expect(await attemptsOf(storage, id)).toMatchObject([{ started_at: START, ended_at: START + 7_000 }]);
    expect(await deliveryOf(storage, id)).toMatchObject({ next_attempt_at: START + 7_000 + 5 * MINUTE });
  });
});
