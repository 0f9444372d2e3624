import { patience } from '@svc/testing';
import { describe, expect, it, vi } from 'vitest';
import type { TakeResult } from '../../../src/delivery/queue/take-due.ts';
import type { Storage } from '../../../src/storage/port.ts';
import {
  addEndpoint,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  startEngine,
  type World,
} from '../../support/delivery/world.ts';

const OLD = 'https://old.test/hook';
const NEW = 'https://new.test/hook';

/** A storage that calls `act` once: after the first read that finds due deliveries, before it returns them. */
function afterTaking({ storage }: World, act: () => Promise<void>): Storage {
  let acted = false;
  return {
    ...storage,
    async read(work) {
      const result = await storage.read(work);
      if (!acted && tookSomething(result)) {
        acted = true;
        await act();
      }
      return result;
    },
    async [Symbol.asyncDispose]() {},
  };
}

function tookSomething(result: unknown): boolean {
  const [found] = Array.isArray(result) ? result : [];
  if (!(found instanceof Object && 'taken' in found)) return false;
  return [...(found as TakeResult).taken.values()].some(({ deliveries }) => deliveries.length > 0);
}

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
});

describe('An endpoint that is disabled because its deliveries failed', () => {
  it('gets none of the deliveries that wait for a slot', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, OLD);
    let requests = 0;
    await using engine = await startEngine(world, {
      concurrency: 1,
      retryDelaysMs: [],
      send: async () => new Response(null, { status: ++requests && 500 }),
    });
    const ids = await emit(world, 8);
    expect(await engine.runDue()).toBe(5);
    expect(requests).toBe(5);
    expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0, consecutive_failures: 5 });
    const ended = await Promise.all(ids.map(async (id) => (await deliveryOf(storage, id)).status));
    expect(ended.toSorted()).toEqual([...Array(3).fill('disabled'), ...Array(5).fill('failed')]);
  });

  it('gets none of the deliveries that are being read at that moment', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    const endpoint = await addEndpoint(world, OLD);
    const fails = () => new Response(null, { status: 500 });
    let requests = 0;
    const fifth = Promise.withResolvers<Response>();
    // The fifth delivery fails while the engine reads the sixth, which arrived in the meantime.
    let armed = false;
    const failing = afterTaking(world, async () => {
      fifth.resolve(fails());
      await vi.waitFor(async () => expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 0 }));
      await new Promise(setImmediate);
    });
    await using engine = await startEngine(
      { ...world, storage: { ...failing, read: (work) => (armed ? failing : storage).read(work) } },
      { paused: false, retryDelaysMs: [], send: async () => (++requests === 5 ? fifth.promise : fails()) },
    );
    await emit(world, 4);
    engine.wake();
    expect(await engine.whenIdle(patience())).toBe(true);
    await emit(world);
    engine.wake();
    await vi.waitFor(() => expect(requests).toBe(5));
    armed = true;
    const [id] = await emit(world);
    engine.wake();
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(requests).toBe(5);
    expect(await deliveryOf(storage, id)).toMatchObject({ status: 'disabled', attempt: 0 });
  });
});
