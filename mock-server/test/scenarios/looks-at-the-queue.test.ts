import { PATIENCE_MS } from '@svc/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_OBSERVER } from '../../src/delivery/observer.ts';
import type { Storage } from '../../src/storage/port.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { beginOther, sessionsIn } from '../support/delivery/sessions.ts';
import { addEndpoint, createWorld, deliveryOf, emit, START, startEngine } from '../support/delivery/world.ts';

// The test moves the monotonic clock, which timers follow. The database works in real time.
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
 * Moves the monotonic clock, and waits until the engine has made the look and the sweep that this causes. The engine
 * then waits for the next look and the next sweep.
 */
async function advance(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms);
  await new Promise(setImmediate);
  await until(async () => vi.getTimerCount() > 1);
}

/** Waits for the database without moving the clock. Gives up after a while of real time. */
async function until(isMet: () => Promise<boolean>): Promise<void> {
  const endsAt = process.hrtime.bigint() + BigInt(PATIENCE_MS) * 1_000_000n;
  while (!(await isMet())) {
    if (process.hrtime.bigint() > endsAt) throw new Error('The condition was not met in time.');
    await new Promise(setImmediate);
  }
}

describe('The regular look at the queue', () => {
  it('does not find an unannounced delivery 999 ms after the previous look', async () => {
    await using untold = await startUntold();
    await advance(999);
    expect(await untold.status()).toBe('pending');
  });

  it('finds the delivery 1 s after the previous look', async () => {
    await using untold = await startUntold();
    await advance(999);
    await advance(1);
    await until(async () => (await untold.status()) === 'success');
  });
});

describe('A look at the time of the next retry', () => {
  // The virtual clock, if it runs, follows the date.
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }));

  /** An idle engine whose only delivery has failed and is due again in 10 ms of the virtual clock. */
  async function startWaiting(isFrozen: boolean) {
    await using cleanup = new AsyncDisposableStack();
    const world = await createWorld(await openSqlite(':memory:'));
    cleanup.use(world.storage);
    await addEndpoint(world, 'https://receiver.test/hook');
    let looks = 0;
    const observer = { ...NO_OBSERVER, roundEnded: () => void looks++ };
    const send = async () => new Response(null, { status: 500 });
    const engine = await startEngine(world, { paused: false, send, observer, retryDelaysMs: [10] });
    cleanup.use(engine);
    await emit(world);
    engine.wake();
    await engine.whenIdle(new AbortController().signal);
    if (!isFrozen) world.clock.restore({ offsetMs: world.clock.now() - world.clock.realNow(), frozenAt: null });
    engine.wake();
    await engine.whenIdle(new AbortController().signal);
    const before = looks;
    const owned = cleanup.move();
    return { looksMade: () => looks - before, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  it('is made while the clock runs', async () => {
    await using waiting = await startWaiting(false);
    await advance(11);
    await until(async () => waiting.looksMade() > 0);
  });

  it('is not made while the clock stands still', async () => {
    await using waiting = await startWaiting(true);
    await advance(999);
    expect(waiting.looksMade()).toBe(0);
  });
});

describe('While a caller waits for another server’s work, a look at the queue', () => {
  /** A caller waits for a lane that another server holds. That server gives it back without a message. */
  async function waitForOther() {
    await using cleanup = new AsyncDisposableStack();
    const untold = cleanup.use(await startUntold());
    const { storage } = untold;
    await beginOther(storage);
    await storage.write((queries) => queries.updateTable('delivery_lanes').set({ node: 'other' }).execute());
    let isIdle = false;
    untold.whenIdle().then((idle) => {
      isIdle = idle;
    });
    await advance(0);
    const empty = { node: null, turn_at: null };
    await storage.write((queries) => queries.updateTable('delivery_lanes').set(empty).execute());
    const owned = cleanup.move();
    return { isIdle: () => isIdle, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  }

  it('is not repeated 9 ms after the previous look', async () => {
    await using waiting = await waitForOther();
    await advance(9);
    expect(waiting.isIdle()).toBe(false);
  });

  it('is repeated 10 ms after the previous look', async () => {
    await using waiting = await waitForOther();
    await advance(9);
    await advance(1);
    await until(async () => waiting.isIdle());
  });
});

describe('The sweep of lanes', () => {
  /** An idle engine, and a lane whose turn is late because the clock of the server that stored its delivery was ahead. */
  async function startLate() {
    const untold = await startUntold();
    const turn_at = START + 86_400_000;
    await untold.storage.write((queries) => queries.updateTable('delivery_lanes').set({ turn_at }).execute());
    return untold;
  }

  it('runs even if wake-ups leave no time for a regular look', async () => {
    await using late = await startLate();
    for (let times = 0; times < 3; times++) {
      await advance(500);
      late.wake();
      await new Promise(setImmediate);
    }
    await until(async () => (await late.status()) === 'success');
  });

  it('brings a late lane forward 1 s after the previous sweep', async () => {
    await using late = await startLate();
    await advance(999);
    expect(await late.status()).toBe('pending');
    await advance(1);
    await until(async () => (await late.status()) === 'success');
  });
});

describe('The sweep of lanes while the engine closes', () => {
  it('ends before the engine has closed', async () => {
    const world = await createWorld(await openSqlite(':memory:'));
    await using storage = world.storage;
    const events: string[] = [];
    const began = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    let reads = 0;
    const watched: Storage = {
      ...storage,
      async read(work) {
        const isSweep = isAdvanced && reads++ === 0;
        if (!isSweep) return await storage.read(work);
        began.resolve();
        await goOn.promise;
        events.push('swept');
        return await storage.read(work);
      },
      async [Symbol.asyncDispose]() {},
    };
    let isAdvanced = false;
    const engine = await startEngine(
      { ...world, storage: watched },
      { paused: false, send: async () => new Response() },
    );
    await engine.whenIdle(new AbortController().signal);
    isAdvanced = true;
    vi.advanceTimersByTime(1_000);
    await began.promise;
    const closed = engine.close().then(() => events.push('closed'));
    for (let turns = 0; turns < 200; turns++) await new Promise(setImmediate);
    goOn.resolve();
    await closed;
    expect(events).toEqual(['swept', 'closed']);
  });
});

describe('A look while the engine closes', () => {
  it('begins no session after the engine has ended its own', async () => {
    const world = await createWorld(await openSqlite(':memory:'));
    await using storage = world.storage;
    const left = Promise.withResolvers<void>();
    const replied = Promise.withResolvers<void>();
    const watched: Storage = {
      ...storage,
      async write(work, options) {
        const before = await sessionsIn(storage);
        const result = await storage.write(work, options);
        if (before.length === 0 || (await sessionsIn(storage)).length > 0) return result;
        left.resolve();
        await replied.promise;
        return result;
      },
      async [Symbol.asyncDispose]() {},
    };
    const engine = await startEngine(
      { ...world, storage: watched },
      { paused: false, send: async () => new Response() },
    );
    await engine.whenIdle(new AbortController().signal);
    const closed = engine.close();
    await left.promise;
    vi.advanceTimersByTime(1_000);
    for (let turns = 0; turns < 200; turns++) await new Promise(setImmediate);
    replied.resolve();
    await closed;
    expect(await sessionsIn(storage)).toEqual([]);
  });
});
