import { describe, expect, it } from 'vitest';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  createWorld,
  deliveryOf,
  emit,
  MINUTE,
  START,
  setActive,
  startEngine,
  startWorld,
} from '../../support/delivery/world.ts';

describe('States and transitions: webhook delivery status, if the endpoint is inactive or deleted', () => {
  it('an event that matches an inactive endpoint creates a disabled delivery and sends no request', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, receiver.url, { active: false });
    await using engine = await startEngine(world);
    const [id] = await emit(world);
    expect(await engine.runDue()).toBe(0);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'disabled', attempt: 0, next_attempt_at: null });
    expect(receiver.requests).toHaveLength(0);
  });

  it('a delivery becomes disabled if its endpoint is inactive when a retry is due, and stays disabled', async () => {
    await using world = await startWorld(status(500));
    const { receiver, storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await setActive(world, endpoint.id, 0);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending' });

    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    expect(await engine.runDue()).toBe(0);
    expect(await deliveryOf(storage, id)).toMatchObject({
      status: 'disabled',
      attempt: 1,
      error: 'HTTP 500',
      next_attempt_at: null,
    });
    await setActive(world, endpoint.id, 1);
    expect(await engine.nextDueAt()).toBeUndefined();
    expect(receiver.requests).toHaveLength(1);
  });

  it('a delivery continues if its endpoint is re-activated before the retry is due', async () => {
    await using world = await startWorld(status(500));
    const { storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await setActive(world, endpoint.id, 0);
    await setActive(world, endpoint.id, 1);
    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    expect(await engine.runDue()).toBe(1);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'pending', attempt: 2 });
  });

  it('all deliveries of a deleted endpoint become disabled, even more than a thousand', async () => {
    await using world = await startWorld();
    const { storage, endpoint, engine } = world;
    const ids = await emit(world, 1_200);
    await storage.write((queries) => queries.deleteFrom('webhook_endpoints').where('id', '=', endpoint.id).execute());
    expect(await engine.runDue()).toBe(0);
    const statuses = await Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
    expect(new Set(statuses)).toEqual(new Set(['disabled']));
    expect(await engine.status()).toEqual({
      due: 0,
      pending: 0,
      inFlight: 0,
      nextDueAt: undefined,
      oldestDueAt: undefined,
    });
  });
});
