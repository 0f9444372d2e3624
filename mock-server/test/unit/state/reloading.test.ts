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

  test.each([
    { first: 'succeeds', second: 'succeeds', stale: false },
    { first: 'succeeds', second: 'fails', stale: true },
    { first: 'fails', second: 'succeeds', stale: false },
  ])(
    'is read once more if a reload is requested during another: the first $first, the second $second',
    async ({ first, second, stale }) => {
      const reads: PromiseWithResolvers<void>[] = [];
      const reload = () => {
        const read = Promise.withResolvers<void>();
        reads.push(read);
        return read.promise;
      };
      using kept = createReloading([{ reload }], createLogger('silent'));
      const end = (index: number, how: string) =>
        how === 'fails' ? reads[index]?.reject(new Error('away')) : reads[index]?.resolve();
      const reloads = [kept.reload(), kept.reload(), kept.reload()];
      expect(reads).toHaveLength(1);
      end(0, first);
      await reloads[0];
      expect(kept.isStale()).toBe(true);
      expect(reads).toHaveLength(2);
      end(1, second);
      await Promise.all(reloads);
      expect(reads).toHaveLength(2);
      expect(kept.isStale()).toBe(stale);
    },
  );
});
