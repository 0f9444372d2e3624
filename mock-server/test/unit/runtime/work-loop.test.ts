import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { processTimers } from '../../../src/runtime/timers.ts';
import { createWorkLoop } from '../../../src/runtime/work-loop.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A loop whose runs end when the test says so. */
function startLoop(width = 1) {
  const runs: PromiseWithResolvers<void>[] = [];
  const pauses: number[] = [];
  let timesCome = 0;
  const loop = createWorkLoop({
    run: () => {
      const run = Promise.withResolvers<void>();
      runs.push(run);
      return run.promise;
    },
    failed: (_error, retryInMs) => pauses.push(retryInMs),
    onTime: () => void timesCome++,
    width,
    timers: processTimers,
  });
  const end = async (index: number, error?: Error) => {
    if (error) runs[index]?.reject(error);
    else runs[index]?.resolve();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { loop, runs, pauses, times: () => timesCome, end };
}

describe('A work loop', () => {
  it('runs one at a time, and once more for all requests made in the meantime', async () => {
    const { loop, runs, end } = startLoop();
    loop.request();
    loop.request();
    loop.request();
    expect(runs).toHaveLength(1);
    expect(loop.isRequested()).toBe(true);
    await end(0);
    expect(runs).toHaveLength(2);
    await end(1);
    expect(runs).toHaveLength(2);
    expect(loop.isRequested()).toBe(false);
  });

  it('waits longer after each consecutive failure, even if another run is requested in the meantime', async () => {
    const { loop, runs, pauses, end } = startLoop();
    loop.request();
    for (let failure = 0; failure < 8; failure++) {
      await end(failure, new Error('away'));
      expect(loop.failures()).toBe(failure + 1);
      loop.request();
      await vi.advanceTimersByTimeAsync((pauses[failure] ?? 0) - 1);
      expect(runs).toHaveLength(failure + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(runs).toHaveLength(failure + 2);
    }
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    await end(8);
    expect(loop.failures()).toBe(0);
  });

  it('runs as many at a time as its width allows', async () => {
    const { loop, runs, end } = startLoop(2);
    for (let asked = 0; asked < 4; asked++) loop.request();
    expect(runs).toHaveLength(2);
    await end(0);
    expect(runs).toHaveLength(3);
    expect(loop.isRequested()).toBe(false);
  });

  it('runs no more than its width allows if each run requests the next one before it waits', () => {
    let running = 0;
    const loop = createWorkLoop({
      run: () => {
        running++;
        if (running < 5) loop.request();
        return new Promise<void>(() => {});
      },
      failed() {},
      width: 2,
      timers: processTimers,
    });
    loop.request();
    expect(running).toBe(2);
  });

  it('pauses once for runs that fail together', async () => {
    const { loop, runs, pauses, end } = startLoop(3);
    for (let asked = 0; asked < 3; asked++) loop.request();
    for (let index = 0; index < 3; index++) await end(index, new Error('away'));
    expect(pauses).toEqual([100]);
    expect(loop.failures()).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(4);
  });

  it('continues at once, within its width, when a run alongside a failed one succeeds', async () => {
    const { loop, runs, pauses, end } = startLoop(2);
    for (let asked = 0; asked < 2; asked++) loop.request();
    await end(0, new Error('lost'));
    await end(1);
    expect(loop.failures()).toBe(0);
    expect(runs).toHaveLength(3);
    loop.request();
    loop.request();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(4);
    await end(2, new Error('lost again'));
    expect(pauses).toEqual([100, 100]);
    expect(loop.failures()).toBe(1);
  });

  it('finishes its run when it is stopped, and never runs again', async () => {
    const { loop, runs, end } = startLoop();
    loop.request();
    loop.request();
    let stopped = false;
    const done = loop.stop().then(() => {
      stopped = true;
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(stopped).toBe(false);
    await end(0);
    await done;
    loop.request();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(1);
  });

  it('runs in time, at the earliest of the times that it was given', async () => {
    const { loop, runs, times } = startLoop();
    loop.requestIn(500);
    loop.requestIn(200);
    loop.requestIn(900);
    await vi.advanceTimersByTimeAsync(199);
    expect(runs).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(runs).toHaveLength(1);
    expect(times()).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(1);
  });

  it('forgets a time when it runs earlier, or is stopped', async () => {
    const { loop, runs, times, end } = startLoop();
    loop.requestIn(500);
    loop.request();
    await end(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(1);
    loop.requestIn(500);
    await loop.stop();
    loop.requestIn(500);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(runs).toHaveLength(1);
    expect(times()).toBe(0);
  });

  it('waits for a time that no timer of Node can hold', async () => {
    const { loop, runs } = startLoop();
    loop.requestIn(2 ** 40);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(runs).toHaveLength(0);
  });

  it('loses no request, in whichever of the steps after a run the request is made', async () => {
    for (let steps = 0; steps < 20; steps++) {
      const { loop, runs, end } = startLoop();
      loop.request();
      const requestLater = async () => {
        for (let step = 0; step < steps; step++) await null;
        loop.request();
      };
      void runs[0]?.promise.then(requestLater);
      await end(0);
      expect(runs, `${steps} steps`).toHaveLength(2);
      await end(1);
      expect(loop.isRunning()).toBe(false);
    }
  });
});
