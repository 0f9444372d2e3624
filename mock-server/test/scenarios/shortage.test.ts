import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../src/runtime/logger.ts';
import { openSqlite } from '../../src/storage/sqlite/open.ts';
import { addEndpoint, createWorld, emit, startEngine } from '../support/delivery/world.ts';

// The test moves the monotonic clock. The database works in real time.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

/** An engine that has just tried an attempt on a machine that lacks file descriptors for as long as the test says. */
async function startLacking() {
  await using cleanup = new AsyncDisposableStack();
  const world = await createWorld(await openSqlite(':memory:'));
  cleanup.use(world.storage);
  await addEndpoint(world, 'https://receiver.test/hook');
  const logger = createLogger('silent');
  const warn = vi.spyOn(logger, 'warn');
  const machine = { lacks: true, attempts: 0 };
  const engine = cleanup.use(
    await startEngine(world, {
      paused: false,
      logger,
      async send() {
        machine.attempts++;
        if (!machine.lacks) return new Response();
        throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'EMFILE' }) });
      },
    }),
  );
  /** Moves the monotonic clock a millisecond at a time, then lets the database finish. */
  const advance = async (ms: number) => {
    for (let passed = 0; passed < ms; passed++) vi.advanceTimersByTime(1);
    for (let pass = 0; pass < 100; pass++) await new Promise(setImmediate);
  };
  const attemptOne = async () => {
    const before = machine.attempts;
    await emit(world);
    engine.wake();
    while (machine.attempts === before) await new Promise(setImmediate);
    await advance(0);
  };
  await attemptOne();
  const owned = cleanup.move();
  return { machine, warn, advance, attemptOne, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

describe('A server whose machine lacks a resource for attempts', () => {
  it('starts no attempt for 999 ms', async () => {
    await using lacking = await startLacking();
    await lacking.advance(999);
    expect(lacking.machine.attempts).toBe(1);
  });

  it('starts attempts again after 1 s', async () => {
    await using lacking = await startLacking();
    await lacking.advance(1_000);
    expect(lacking.machine.attempts).toBe(2);
  });

  /** Whether a second shortage is logged this long after the first one was. */
  async function isSaidAgainAfter(ms: number): Promise<boolean> {
    await using lacking = await startLacking();
    const { machine, warn, advance, attemptOne } = lacking;
    machine.lacks = false;
    await advance(1_000);
    // Meanwhile the successful attempt is written back.
    await advance(ms - 1_000);
    machine.lacks = true;
    await attemptOne();
    expect(machine.attempts).toBe(3);
    return warn.mock.calls.length > 1;
  }

  it('does not log another shortage within 5 s', async () => {
    expect(await isSaidAgainAfter(5_000)).toBe(false);
  });

  it('logs another shortage after more than 5 s', async () => {
    expect(await isSaidAgainAfter(5_001)).toBe(true);
  });
});
