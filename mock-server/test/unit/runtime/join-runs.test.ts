import { describe, expect, test, vi } from 'vitest';
import { joinRuns } from '../../../src/runtime/join-runs.ts';

/** Joined runs that the test ends. Each resolves with its number, counted from 1. */
function startRuns() {
  const runs: PromiseWithResolvers<number>[] = [];
  const call = joinRuns(() => {
    const run = Promise.withResolvers<number>();
    runs.push(run);
    return run.promise;
  });
  return { call, runs, end: (number: number) => runs[number - 1]?.resolve(number) };
}

describe('Joined runs', () => {
  test('begin at once if none is under way', async () => {
    const { call, runs, end } = startRuns();
    for (const number of [1, 2]) {
      const result = call();
      expect(runs).toHaveLength(number);
      end(number);
      expect(await result).toBe(number);
    }
  });

  test('share one run that begins when the run under way ends', async () => {
    const { call, runs, end } = startRuns();
    const first = call();
    const others = Array.from({ length: 2_000 }, call);
    expect(runs).toHaveLength(1);
    end(1);
    expect(await first).toBe(1);
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    // This call comes after the second run began, which may not see what the caller has changed.
    const late = call();
    end(2);
    expect(new Set(await Promise.all(others))).toEqual(new Set([2]));
    await vi.waitFor(() => expect(runs).toHaveLength(3));
    end(3);
    expect(await late).toBe(3);
    expect(runs).toHaveLength(3);
  });

  test('never overlap, even if a call comes at the moment when a run ends', async () => {
    let underWay = 0;
    let most = 0;
    const call = joinRuns(async () => {
      most = Math.max(most, ++underWay);
      await null;
      underWay--;
    });
    const calls = Array.from({ length: 100 }, async (_, ticks) => {
      for (let tick = 0; tick < ticks; tick++) await null;
      await call();
    });
    await Promise.all(calls);
    expect(most).toBe(1);
  });

  test('continue after a run that fails, whose error reaches only its callers', async () => {
    const { call, runs, end } = startRuns();
    const first = call();
    const second = call();
    runs[0]?.reject(new Error('away'));
    await expect(first).rejects.toThrow('away');
    await vi.waitFor(() => expect(runs).toHaveLength(2));
    end(2);
    expect(await second).toBe(2);
  });
});
