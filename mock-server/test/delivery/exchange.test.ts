import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createExchange } from '../../src/delivery/exchange.ts';
import { processTimers } from '../../src/runtime/timers.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An exchange whose runs end when the test says so. */
function startExchange(width = 1) {
  const runs: PromiseWithResolvers<void>[] = [];
  const pauses: number[] = [];
  const exchange = createExchange({
    run: () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    failed: (_error, retryInMs) => pauses.push(retryInMs),
    width,
    timers: processTimers,
  });
  const end = async (index: number, error?: Error) => {
    if (error) runs[index]?.reject(error);
    else runs[index]?.resolve();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { exchange, runs, pauses, end };
}

describe('An exchange with the database', () => {
  it('runs one at a time, and once more for all requests made in the meantime', async () => {
    const { exchange, runs, end } = startExchange();
    exchange.request();
    exchange.request();
    exchange.request();
    expect(runs).toHaveLength(1);
    expect(exchange.isRequested()).toBe(true);
    await end(0);
    expect(runs).toHaveLength(2);
    await end(1);
    expect(runs).toHaveLength(2);
    expect(exchange.isRequested()).toBe(false);
  });

  it('waits longer after each failure in a row, even if it is requested again meanwhile', async () => {
    const { exchange, runs, pauses, end } = startExchange();
    exchange.request();
    for (let failure = 0; failure < 8; failure++) {
      await end(failure, new Error('away'));
      expect(exchange.failures()).toBe(failure + 1);
      exchange.request();
      await vi.advanceTimersByTimeAsync((pauses[failure] ?? 0) - 1);
      expect(runs).toHaveLength(failure + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(runs).toHaveLength(failure + 2);
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    await end(8);
    expect(exchange.failures()).toBe(0);
  });

  it('runs as many at a time as its width allows', async () => {
    const { exchange, runs, end } = startExchange(2);
    for (let asked = 0; asked < 4; asked++) exchange.request();
    expect(runs).toHaveLength(2);
    await end(0);
    expect(runs).toHaveLength(3);
    expect(exchange.isRequested()).toBe(false);
  });

  it('pauses once for runs that fail together', async () => {
    const { exchange, runs, pauses, end } = startExchange(3);
    for (let asked = 0; asked < 3; asked++) exchange.request();
    for (let index = 0; index < 3; index++) await end(index, new Error('away'));
    expect(pauses).toEqual([100]);
    expect(exchange.failures()).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(4);
  });

  it('continues at once, within its width, when a run alongside a failed one succeeds', async () => {
    const { exchange, runs, pauses, end } = startExchange(2);
    for (let asked = 0; asked < 2; asked++) exchange.request();
    await end(0, new Error('lost'));
    await end(1);
    expect(exchange.failures()).toBe(0);
    expect(runs).toHaveLength(3);
    exchange.request();
    exchange.request();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(4);
    await end(2, new Error('lost again'));
    expect(pauses).toEqual([100, 100]);
    expect(exchange.failures()).toBe(1);
  });

  it('finishes its run when it is stopped, and never runs again', async () => {
    const { exchange, runs, end } = startExchange();
    exchange.request();
    exchange.request();
    let stopped = false;
    const done = exchange.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    await end(0);
    await done;
    exchange.request();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(1);
  });
});
