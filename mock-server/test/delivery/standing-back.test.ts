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
