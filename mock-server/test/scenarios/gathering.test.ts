import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { addEndpoint, createWorld, deliveryOf, emit, startEngine } from '../support/delivery/world.ts';

// The test moves the monotonic clock. The database works in real time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const ENDPOINTS = 4;

/** An engine with one attempt in flight to each endpoint. The receivers answer when the test says so. */
async function startInFlight() {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld(await openSqlite(':memory:'));
  cleanup.use(world.storage);
  for (let count = 0; count < ENDPOINTS; count++) await addEndpoint(world, 'https://receiver.test/hook');
  const open = new Map<string | null, () => void>();
  const engine = cleanup.use(
    await startEngine(world, {
      paused: false,
      send: ({ headers }) =>
        new Promise((resolve) => open.set(headers.get('webhook-id'), () => resolve(new Response()))),
    }),
  );
  cleanup.defer(() => {
    vi.useRealTimers();
    for (const answer of open.values()) answer();
  });
  const emitToAll = async () => {
    const ids = await emit(world);
    engine.wake();
    return ids;
  };
  const [first = ''] = await emitToAll();
  while (open.size < ENDPOINTS) await new Promise(setImmediate);
  const owned = cleanup.move();
  return {
    emitToAll,
    attempts: () => open.size,
    /** The status of the first delivery in the database. */
    status: async () => (await deliveryOf(world.storage, first)).status,
    /** Answers the first attempt. */
    async answer() {
      open.get(first)?.();
      await new Promise(setImmediate);
    },
    /** Moves the monotonic clock a millisecond at a time, then lets the database finish. */
    async advance(ms: number) {
      for (let passed = 0; passed < ms; passed++) vi.advanceTimersByTime(1);
      for (let pass = 0; pass < 100; pass++) await new Promise(setImmediate);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('While other attempts are in flight, the result of an attempt', () => {
  it('still waits for other results after 4 ms', async () => {
    await using started = await startInFlight();
    await started.answer();
    await started.advance(4);
    expect(await started.status()).toBe('pending');
  });

  it('is stored after 5 ms', async () => {
    await using started = await startInFlight();
    await started.answer();
    await started.advance(5);
    expect(await started.status()).toBe('success');
  });
});

describe('Work that arrives while attempts are in flight', () => {
  it('is not picked up within 4 ms', async () => {
    await using started = await startInFlight();
    await started.emitToAll();
    await started.advance(4);
    expect(started.attempts()).toBe(ENDPOINTS);
  });

  it('is picked up together after 5 ms', async () => {
    await using started = await startInFlight();
    await started.emitToAll();
    await started.advance(5);
    expect(started.attempts()).toBe(2 * ENDPOINTS);
  });
});
