import { describe, expect, it } from 'vitest';
import { insertDeliveries } from '../../src/storage/statements/insert-deliveries.ts';
import { insertReplayedEvent } from '../../src/storage/statements/insert-replayed-event.ts';
import { removeOldDeliveries } from '../../src/storage/statements/remove-old-deliveries.ts';
import { startReceiver, status } from './support/receiver.ts';
import { addEndpoint, createWorld, deliveryOf, emit, START, startEngine, type World } from './support/world.ts';

const DAY = 86_400_000;

async function countsOf({ storage }: World) {
  return storage.read(async (queries) => {
    const count = async (table: 'events' | 'deliveries' | 'delivery_attempts' | 'replayed_events') =>
      (await queries.selectFrom(table).selectAll().execute()).length;
    return {
      events: await count('events'),
      deliveries: await count('deliveries'),
      attempts: await count('delivery_attempts'),
      replayed: await count('replayed_events'),
    };
  });
}

async function removeAll({ storage }: World, before: number, limit = 100): Promise<number> {
  let steps = 1;
  while (await storage.write((queries) => removeOldDeliveries(queries, before, limit))) steps++;
  return steps;
}

describe('Retention', () => {
  it('removes deliveries, attempts and events from before an instant, to the millisecond, and none from then on', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using _storage = world.storage;
    await addEndpoint(world, receiver.url);
    await using engine = await startEngine(world);
    await emit(world, 5);
    world.clock.moveTo(START + DAY);
    await emit(world, 3);
    await engine.runDue();

    await removeAll(world, START);
    expect(await countsOf(world)).toEqual({ events: 8, deliveries: 8, attempts: 8, replayed: 0 });
    await removeAll(world, START + 1);
    expect(await countsOf(world)).toEqual({ events: 3, deliveries: 3, attempts: 3, replayed: 0 });
    await removeAll(world, START + DAY);
    expect(await countsOf(world)).toEqual({ events: 3, deliveries: 3, attempts: 3, replayed: 0 });
  });

  it('works in small steps', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using _storage = world.storage;
    await addEndpoint(world, receiver.url);
    await using engine = await startEngine(world);
    await emit(world, 25);
    await engine.runDue();
    expect(await removeAll(world, START + DAY, 10)).toBeGreaterThanOrEqual(5);
    expect(await countsOf(world)).toEqual({ events: 0, deliveries: 0, attempts: 0, replayed: 0 });
  });

  it('keeps what is still to be delivered, and its event', async () => {
    await using receiver = await startReceiver(status(500));
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, receiver.url);
    await using engine = await startEngine(world);
    const [id] = await emit(world);
    await engine.runDue();
    await removeAll(world, START + 30 * DAY);
    receiver.answer = status(200);
    world.clock.moveTo(START + 30 * DAY);
    expect(await engine.runDue()).toBe(1);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 2 });
  });

  it('keeps the event that a replay sends again', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, receiver.url);
    await using engine = await startEngine(world);
    const [id] = await emit(world);
    await engine.runDue();
    const original = await deliveryOf(storage, id);

    world.clock.moveTo(START + DAY);
    const eventId = world.ids.next('event');
    const { workspaceId } = world;
    const replay = {
      id: world.ids.next('webhookDelivery'),
      workspaceId,
      endpointId: endpoint.id,
      eventId,
      payloadEventId: original.event_id,
      eventType: original.event_type,
      status: 'pending' as const,
      createdAt: world.clock.now(),
    };
    await storage.write(async (queries) => {
      await insertReplayedEvent(queries, { id: eventId, workspaceId, originalEventId: original.event_id });
      await insertDeliveries(queries, [replay]);
    });
    await removeAll(world, START + DAY);
    expect(await countsOf(world)).toEqual({ events: 1, deliveries: 1, attempts: 0, replayed: 1 });
    await engine.runDue();
    expect(receiver.requests.map(({ body }) => body)).toEqual([receiver.requests[0]?.body, receiver.requests[0]?.body]);
    await removeAll(world, START + 2 * DAY);
    expect(await countsOf(world)).toEqual({ events: 0, deliveries: 0, attempts: 0, replayed: 0 });
  });
});
