import { describe, expect, it, vi } from 'vitest';
import { insertDeliveries } from '../../../src/storage/delivery/accept.ts';
import { insertReplayedEvent } from '../../../src/storage/statements/events.ts';
import { type ObservedRequest, status } from '../../support/delivery/receiver.ts';
import { deliveryOf, emit, MINUTE, START, startWorld } from '../../support/delivery/world.ts';
import { expectedSignature } from '../../support/receiver.ts';

/** A world in which the first attempt of a delivery failed, and in which real time has passed since then. */
async function failOnce() {
  const world = await startWorld(status(500));
  const { receiver, clock, engine } = world;
  vi.spyOn(clock, 'realNow').mockReturnValueOnce(1_700_000_000_000).mockReturnValue(1_700_000_300_999);
  const [id = ''] = await emit(world);
  await engine.runDue();
  expect(receiver.requests).toHaveLength(1);
  const attempted = receiver.requests[0] as ObservedRequest;
  return {
    ...world,
    id,
    attempted,
    /** Makes the attempt that is due next, and returns its request. */
    async nextRequest(): Promise<ObservedRequest> {
      expect(await engine.runDue()).toBe(1);
      return receiver.requests.at(-1) as ObservedRequest;
    },
  };
}

describe('A retry', () => {
  it('sends the same body and webhook-id again, with the timestamp of the attempt and a signature of its own', async () => {
    await using world = await failOnce();
    const { clock, endpoint, id, attempted } = world;
    clock.restore(clock.stateAt(START + 5 * MINUTE));
    const retried = await world.nextRequest();
    expect(retried.body).toBe(attempted.body);
    expect([attempted.headers['webhook-id'], retried.headers['webhook-id']]).toEqual([id, id]);
    expect(attempted.headers['webhook-timestamp']).toBe('1700000000');
    expect(retried.headers['webhook-timestamp']).toBe('1700000300');
    expect(attempted.headers['webhook-signature']).toBe(expectedSignature(endpoint.secret, attempted));
    expect(retried.headers['webhook-signature']).toBe(expectedSignature(endpoint.secret, retried));
    expect(retried.headers['webhook-signature']).not.toBe(attempted.headers['webhook-signature']);
  });
});

describe('What is not a retry', () => {
  it('a replay sends the same body, but as another delivery with a webhook-id and an event id of its own', async () => {
    await using world = await failOnce();
    const { storage, ids, workspaceId, endpoint, id, attempted } = world;
    const original = await deliveryOf(storage, id);
    const eventId = ids.next('event');
    const replay = {
      id: ids.next('webhookDelivery'),
      workspaceId,
      endpointId: endpoint.id,
      eventId,
      payloadEventId: original.event_id,
      eventType: original.event_type,
      status: 'pending',
      createdAt: START,
    } as const;
    await storage.write(async (queries) => {
      await insertReplayedEvent(queries, { id: eventId, workspaceId, originalEventId: original.event_id });
      await insertDeliveries(queries, [replay]);
    });
    const replayed = await world.nextRequest();
    expect(replayed.body).toBe(attempted.body);
    expect(replayed.headers['webhook-id']).toBe(replay.id);
    expect(replay.id).not.toBe(id);
    expect((await deliveryOf(storage, replay.id)).event_id).toBe(eventId);
    expect(JSON.parse(replayed.body).id).toBe(original.event_id);
  });

  it('another event sends another body under another webhook-id', async () => {
    await using world = await failOnce();
    const [other] = await emit(world);
    const request = await world.nextRequest();
    expect(request.body).not.toBe(world.attempted.body);
    expect(request.headers['webhook-id']).toBe(other);
    expect(other).not.toBe(world.id);
  });
});
