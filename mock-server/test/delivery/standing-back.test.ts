import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { addEndpoint, createWorld, emit, startEngine } from './support/world.ts';

// The test moves the monotonic clock. What the database does stays real.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** An engine that stands back for another server, and a delivery that is due and that it was told of. */
async function startStandingBack() {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld(await openSqlite(':memory:'));
  cleanup.use(world.storage);
  await addEndpoint(world, 'https://receiver.test/hook');
  let requests = 0;
  const engine = cleanup.use(
    await startEngine(world, {
      paused: false,
      async send() {
        requests++;
        return new Response();
      },
    }),
  );
  engine.standBack();
  await emit(world);
  engine.wake();
  const owned = cleanup.move();
  return {
    engine,
    requests: () => requests,
    /** Moves the monotonic clock a millisecond at a time, so that everything falls due at its own. */
    async advance(ms: number) {
      for (let passed = 0; passed < ms; passed++) vi.advanceTimersByTime(1);
      for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('A server that stands back for another', () => {
  it('begins no attempt for 999 ms', async () => {
    await using standing = await startStandingBack();
    await standing.advance(999);
    expect(standing.requests()).toBe(0);
  });

  it('goes on a millisecond later, unless it is asked again meanwhile', async () => {
    await using standing = await startStandingBack();
    await standing.advance(999);
    standing.engine.standBack();
    await standing.advance(999);
    expect(standing.requests()).toBe(0);
    await standing.advance(1);
    while (standing.requests() === 0) await new Promise(setImmediate);
  });
});

/** A server that runs what is due by a clock that it moves, and waits for a lane that another server holds. */
async function startWaitingForLane() {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld(await openSqlite(':memory:'));
  cleanup.use(world.storage);
  await addEndpoint(world, 'https://receiver.test/hook');
  await emit(world);
  let asked = 0;
  const engine = cleanup.use(
    await startEngine(world, {
      send: async () => new Response(),
      otherNodes: { askForLanes: () => asked++, askForShare() {}, tellOfLanes() {} },
    }),
  );
  await world.storage.write((queries) =>
    queries
      .updateTable('delivery_lanes')
      .set({ lease_until: performance.now() + 60_000 })
      .execute(),
  );
  const running = engine.runDue();
  running.catch(() => {});
  const owned = cleanup.move();
  return {
    asked: () => asked,
    async advance(ms: number) {
      for (let passed = 0; passed < ms; passed++) vi.advanceTimersByTime(1);
      for (let turns = 0; turns < 100; turns++) await new Promise(setImmediate);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('A server that runs what is due', () => {
  it('waits 49 ms before it asks the others for lanes', async () => {
    await using waiting = await startWaitingForLane();
    await waiting.advance(49);
    expect(waiting.asked()).toBe(0);
  });

  it('asks them every 50 ms for as long as something is left', async () => {
    await using waiting = await startWaitingForLane();
    for (let times = 1; times <= 3; times++) {
      await waiting.advance(50);
      expect(waiting.asked()).toBe(times);
    }
  });
});
