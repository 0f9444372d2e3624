import { patience } from '@svc/testing';
import { describe, expect, it, vi } from 'vitest';
import type { Storage } from '../../../src/storage/port.ts';
import { afterTaking } from '../../support/delivery/after-taking.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
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
  type World,
} from '../../support/delivery/world.ts';

const OLD = 'https://old.test/hook';
const NEW = 'https://new.test/hook';
const moveTo = ({ storage }: World, id: string, url: string) =>
  storage.write((queries) => queries.updateTable('webhook_endpoints').set({ url }).where('id', '=', id).execute());

describe('A changed endpoint', () => {
  it.each(['this', 'another'])(
    'gets no attempt at its old URL when %s server changes it while its due deliveries are read',
    async (by) => {
      const world = await createWorld();
      await using storage = world.storage;
      const endpoint = await addEndpoint(world, OLD);
      const urls: string[] = [];
      const changing = afterTaking(world, async () => {
        await moveTo(world, endpoint.id, NEW);
        if (by === 'this') engine.endpointChanged(endpoint.id);
        else engine.endpointsChanged();
      });
      await using engine = await startEngine(
        { ...world, storage: changing },
        {
          async send({ url }) {
            urls.push(url);
            return new Response();
          },
        },
      );
      const [id] = await emit(world);
      expect(await engine.runDue()).toBe(1);
      expect(urls).toEqual([NEW]);
      expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 1 });
    },
  );

  it('gets no attempt at its old URL for deliveries that waited for a slot when it changed', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, OLD);
    const urls: string[] = [];
    const first = Promise.withResolvers<Response>();
    let readable = Promise.resolve();
    const pausing: Storage = {
      ...storage,
      async read(work) {
        await readable;
        return storage.read(work);
      },
      async [Symbol.asyncDispose]() {},
    };
    await using engine = await startEngine(
      { ...world, storage: pausing },
      {
        concurrency: 1,
        paused: false,
        send: ({ url }) => (urls.push(url) === 1 ? first.promise : Promise.resolve(new Response())),
      },
    );
    const ids = await emit(world, 3);
    engine.wake();
    await vi.waitFor(() => expect(urls).toEqual([OLD]));
    // The slot becomes free before the engine can read again.
    const paused = Promise.withResolvers<void>();
    readable = paused.promise;
    await moveTo(world, endpoint.id, NEW);
    engine.endpointChanged(endpoint.id);
    first.resolve(new Response());
    await vi.waitFor(async () => expect(await deliveryOf(storage, ids[0])).toMatchObject({ status: 'success' }));
    paused.resolve();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(urls).toEqual([OLD, NEW, NEW]);
  });

  it('each attempt goes to the current URL of the endpoint, and the log shows it', async () => {
    await using second = await startReceiver();
    await using world = await startWorld(status(500));
    const { receiver: first, storage, endpoint, engine } = world;
    const [id] = await emit(world);
    await engine.runDue();
    await storage.write((queries) =>
      queries.updateTable('webhook_endpoints').set({ url: second.url }).where('id', '=', endpoint.id).execute(),
    );
    world.clock.restore(world.clock.stateAt(START + 5 * MINUTE));
    await engine.runDue();
    expect((await attemptsOf(storage, id)).map(({ url }) => url)).toEqual([first.url, second.url]);
  });
});
