import { patience } from '@svc/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LOCKED_LANE_POLL_MS } from '../../src/delivery/limits.ts';
import type { Storage } from '../../src/storage/port.ts';
import { sweepLeases } from '../../src/storage/statements/sweep-leases.ts';
import { startReceiver } from '../delivery/support/receiver.ts';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine } from '../delivery/support/world.ts';

afterEach(() => vi.restoreAllMocks());

describe('A due lane that is locked', () => {
  test('is looked at again every 20 ms, and claimed once it is free', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, receiver.url);
    const [id] = await emit(world);
    const locked = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const locking = storage.write(async (queries) => {
      await queries.selectFrom('delivery_lanes').selectAll().forUpdate().execute();
      locked.resolve();
      await end.promise;
    });
    await locked.promise;
    await using _unlocked = {
      async [Symbol.asyncDispose]() {
        end.resolve();
        await locking;
      },
    };

    const happened: ('claim' | 'pause')[] = [];
    const watched: Storage = {
      ...storage,
      write(work) {
        happened.push('claim');
        return storage.write(work);
      },
      async [Symbol.asyncDispose]() {},
    };
    const setTimer = globalThis.setTimeout;
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms?: number) => {
      if (ms === LOCKED_LANE_POLL_MS) happened.push('pause');
      return setTimer(act, ms);
    }) as typeof setTimeout);
    await using engine = await startEngine({ ...world, storage: watched }, { paused: false });
    const claims = () => happened.filter((what) => what === 'claim').length;
    await vi.waitFor(() => expect(claims()).toBeGreaterThan(7));
    // The first two writes belong to the start and to the first look of retention.
    expect(happened.slice(2, 12)).toEqual(Array.from({ length: 5 }, () => ['claim', 'pause']).flat());
    expect(receiver.requests).toHaveLength(0);

    end.resolve();
    await locking;
    await vi.waitFor(async () =>
      expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success', attempt: 1 }),
    );
    expect(await engine.whenIdle(patience())).toBe(true);
    expect(receiver.requests).toHaveLength(1);
  });

  test('does not block the sweep of other lanes', async () => {
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, 'http://127.0.0.1:9/');
    const { id: free } = await addEndpoint(world, 'http://127.0.0.1:9/');
    await emit(world);
    await storage.write((queries) => queries.updateTable('delivery_lanes').set({ lease_until: 0 }).execute());
    await storage.write(async (queries) => {
      const locked = queries.selectFrom('delivery_lanes').selectAll().where('endpoint_id', '<>', free);
      await locked.forUpdate().execute();
      expect(await storage.write(sweepLeases)).toBe(1);
    });
    expect(await storage.write(sweepLeases)).toBe(1);
  });
});
