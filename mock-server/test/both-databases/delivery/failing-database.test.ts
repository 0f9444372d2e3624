import { describe, expect, it, vi } from 'vitest';
import { type Storage, StorageUnavailableError } from '../../../src/storage/port.ts';
import { startReceiver, status } from '../../support/delivery/receiver.ts';
import {
  addEndpoint,
  attemptsOf,
  createWorld,
  deliveryOf,
  emit,
  endpointOf,
  startEngine,
} from '../../support/delivery/world.ts';

describe('A database that fails', () => {
  it.each([
    { answer: 500, ends: 'failed', takesPlace: true },
    { answer: 500, ends: 'failed', takesPlace: false },
    { answer: 200, ends: 'success', takesPlace: true },
    { answer: 200, ends: 'success', takesPlace: false },
  ])(
    'during a write-back loses nothing and counts nothing twice: HTTP $answer, took place: $takesPlace',
    async ({ answer, ends, takesPlace }) => {
      await using receiver = await startReceiver(status(answer));
      const world = await createWorld();
      await using storage = world.storage;
      const endpoint = await addEndpoint(world, receiver.url);
      let failures = 0;
      /** Loses the response to the write-back and, without `takesPlace`, the write-back as well. */
      async function answering<Result>(write: () => Promise<Result>): Promise<Result> {
        const fails = receiver.requests.length === 3 && failures === 0;
        if (!fails) return write();
        failures++;
        if (takesPlace) await write();
        throw new StorageUnavailableError('The connection was lost.');
      }
      const failing: Storage = {
        read: (work) => storage.read(work),
        write: (work) => answering(() => storage.write(work)),
        writeAtOnce: (statements) => answering(() => storage.writeAtOnce(statements)),
        async [Symbol.asyncDispose]() {},
      };
      await using engine = await startEngine({ ...world, storage: failing }, { retryDelaysMs: [] });
      const ids = await emit(world, 3);
      await engine.runDue();
      expect(failures).toBe(1);
      for (const id of ids) {
        expect(await deliveryOf(storage, id)).toMatchObject({ status: ends, attempt: 1 });
        expect(await attemptsOf(storage, id)).toHaveLength(1);
      }
      const counted = ends === 'failed' ? 3 : 0;
      expect(await endpointOf(storage, endpoint.id)).toMatchObject({ active: 1, consecutive_failures: counted });
      expect(receiver.requests).toHaveLength(3);
    },
  );

  it('makes the engine unhealthy until it is back', async () => {
    await using receiver = await startReceiver();
    const world = await createWorld();
    await using storage = world.storage;
    await addEndpoint(world, receiver.url);
    let away = false;
    const failing: Storage = {
      read: (work) => (away ? Promise.reject(new StorageUnavailableError('away')) : storage.read(work)),
      write: (work) => (away ? Promise.reject(new StorageUnavailableError('away')) : storage.write(work)),
      writeAtOnce: (work) => (away ? Promise.reject(new StorageUnavailableError('away')) : storage.writeAtOnce(work)),
      async [Symbol.asyncDispose]() {},
    };
    await using engine = await startEngine({ ...world, storage: failing }, { paused: false });
    expect(engine.isHealthy()).toBe(true);
    const [id] = await emit(world);
    away = true;
    engine.wake();
    await vi.waitFor(() => expect(engine.isHealthy()).toBe(false));
    away = false;
    await vi.waitFor(async () => expect(await deliveryOf(storage, id)).toMatchObject({ status: 'success' }));
    expect(engine.isHealthy()).toBe(true);
  });
});
