import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLogger } from '../../../src/runtime/logger.ts';
import { createReloading } from '../../../src/state/reloading.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('Data that the server keeps in memory', () => {
  test('is read again every second until a read succeeds, and is stale until then', async () => {
    let isAway = true;
    const reload = vi.fn(async () => {
      if (isAway) throw new Error('away');
    });
    using kept = createReloading([{ reload }], createLogger('silent'));
    expect(kept.isStale()).toBe(false);
    await kept.reload();
    for (let second = 1; second <= 3; second++) {
      await vi.advanceTimersByTimeAsync(999);
      expect(reload).toHaveBeenCalledTimes(second);
      await vi.advanceTimersByTimeAsync(1);
      expect(reload).toHaveBeenCalledTimes(second + 1);
    }
    expect(kept.isStale()).toBe(true);
    isAway = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(reload).toHaveBeenCalledTimes(5);
    expect(kept.isStale()).toBe(false);
  });
});
