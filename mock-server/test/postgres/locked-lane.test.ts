import { patience } from '@svc/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { LOCKED_LANE_POLL_MS } from '../../src/delivery/tuning.ts';
import type { Storage } from '../../src/storage/port.ts';
import { startReceiver } from '../support/delivery/receiver.ts';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine } from '../support/delivery/world.ts';

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
    await vi.waitFor(() => expect(claims()).toBeGreaterThan(8));
    // The first two writes belong to the start and to the session.
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
});
