import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { addEndpoint, createWorld, deliveryOf, emit, START, startEngine } from './support/world.ts';

// The test moves the monotonic clock, which timers and, on SQLite, leases follow. The database works in real time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** An idle engine, and a delivery that was not announced to it. */
async function startUntold() {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld(await openSqlite(':memory:'));
  cleanup.use(world.storage);
  await addEndpoint(world, 'https://receiver.test/hook');
  const engine = await startEngine(world, { paused: false, send: async () => new Response() });
  cleanup.use(engine);
  await engine.whenIdle(new AbortController().signal);
  const [id] = await emit(world);
  const owned = cleanup.move();
  return {
    storage: world.storage,
    wake: engine.wake,
    whenIdle: () => engine.whenIdle(new AbortController().signal),
    status: async () => (await deliveryOf(world.storage, id)).status,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * Moves the monotonic clock, and waits until the engine has made the look that this causes and waits for the next one.
 */
async function advance(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  do await new Promise(setImmediate);
  while (vi.getTimerCount() === 0);
}

/** Waits for the database without moving the clock. */
async function until(isMet: () => Promise<boolean>): Promise<void> {
  while (!(await isMet())) await new Promise(setImmediate);
}

describe('The poll that backs up the wake-ups', () => {
  it('does not find an unannounced delivery 999 ms after the previous look', async () => {
    await using untold = await startUntold();
    await advance(999);
    expect(await untold.status()).toBe('pending');
  });

  it('finds it a millisecond later', async () => {
    await using untold = await startUntold();
    await advance(999);
    await advance(1);
    await until(async () => (await untold.status()) === 'success');
  });
});

describe('The look for callers that wait until another server is done', () => {
  /** A caller waits for a lane that another server holds. That server gives it back without a message. */
  async function waitForOther() {
    await using cleanup = new AsyncDisposableStack();
    const untold = cleanup.use(await startUntold());
    const { storage } = untold;
    const lanes = (change: { lease_until: number | null; turn_at?: null; head_due_at?: null }) =>
      storage.write((queries) => queries.updateTable('delivery_lanes').set(change).execute());
    await lanes({ lease_until: performance.now() + 60_000 });
    let isIdle = false;
    untold.whenIdle().then((idle) => {
      isIdle = idle;
    });
    await advance(0);
    await lanes({ lease_until: null, turn_at: null, head_due_at: null });
    const owned = cleanup.move();
    return { isIdle: () => isIdle, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  it('is not repeated 9 ms after the previous look', async () => {
    await using waiting = await waitForOther();
    await advance(9);
    expect(waiting.isIdle()).toBe(false);
  });

  it('is repeated a millisecond later', async () => {
    await using waiting = await waitForOther();
    await advance(9);
    await advance(1);
    await until(async () => waiting.isIdle());
  });
});

describe('The sweep of lanes', () => {
  it('runs even if wake-ups leave no time for a look', async () => {
    await using untold = await startUntold();
    const { storage } = untold;
    await storage.write((queries) => queries.updateTable('delivery_lanes').set({ lease_until: -1 }).execute());
    for (let times = 0; times < 13; times++) {
      await advance(500);
      untold.wake();
      await new Promise(setImmediate);
    }
    await until(async () => {
      const { lease_until } = await storage.read((queries) =>
        queries.selectFrom('delivery_lanes').selectAll().executeTakeFirstOrThrow(),
      );
      return lease_until === null;
    });
  });

  it('takes no lease back at the look 5 s after the previous sweep, but does at the next look', async () => {
    await using untold = await startUntold();
    const { storage } = untold;
    const isHeld = () =>
      storage.read(async (queries) => {
        const { lease_until } = await queries.selectFrom('delivery_lanes').selectAll().executeTakeFirstOrThrow();
        return lease_until !== null;
      });
    // Its holder died.
    await storage.write((queries) => queries.updateTable('delivery_lanes').set({ lease_until: -1 }).execute());
    for (let second = 1; second <= 5; second++) await advance(1_000);
    expect([await isHeld(), await untold.status()]).toEqual([true, 'pending']);
    await advance(1_000);
    await until(async () => !(await isHeld()));
    await vi.waitFor(async () => expect(await untold.status()).toBe('success'));
  });

  it('delivers from a lane whose turn is late because a clock was ahead', async () => {
    await using untold = await startUntold();
    const { storage } = untold;
    await storage.write((queries) =>
      queries
        .updateTable('delivery_lanes')
        .set({ turn_at: START + 86_400_000 })
        .execute(),
    );
    for (let second = 1; second <= 5; second++) await advance(1_000);
    expect(await untold.status()).toBe('pending');
    await advance(1_000);
    await until(async () => (await untold.status()) === 'success');
  });
});
