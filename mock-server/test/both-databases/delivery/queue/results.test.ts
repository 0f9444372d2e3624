import { describe, expect, test, vi } from 'vitest';
import { takeAllLanes } from '../../../support/delivery/sessions.ts';
import { attemptsOf, deliveryOf, emit, endpointOf, startWorld } from '../../../support/delivery/world.ts';

describe('A success that arrives after the session of its node has ended', () => {
  test('is logged as late, and changes nothing', async () => {
    const answer = Promise.withResolvers<() => void>();
    await using world = await startWorld((_request, response) => answer.resolve(() => response.writeHead(200).end()), {
      paused: false,
    });
    const { storage } = world;
    const [id] = await emit(world);
    world.engine.wake();
    const respond = await answer.promise;
    await takeAllLanes(storage);
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
