import { setImmediate as nextPass } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createQuota } from '../../../src/runtime/quota.ts';

test('A tenant has at most so many requests under way, and other tenants do not wait for them', async () => {
  const quota = createQuota({ atOnceMax: 2 });
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const all = [0, 1, 2, 3].map((number) =>
    quota('busy', () => {
      started.push(number);
      return new Promise<number>((resolve) => ends.push(() => resolve(number)));
    }),
  );
  expect(await quota('other', async () => 'at once')).toBe('at once');
  expect(started).toEqual([0, 1]);
  for (const wanted of [0, 1, 2, 3]) {
    ends[wanted]?.();
    expect(await all[wanted]).toBe(wanted);
    await nextPass();
    await nextPass();
  }
  expect(started).toEqual([0, 1, 2, 3]);
});

test('Others come first between requests that end at once', async () => {
  const quota = createQuota({ atOnceMax: 2 });
  let ended = 0;
  const all = Array.from({ length: 20 }, () => quota('busy', async () => void ended++));
  await nextPass();
  expect(ended).toBeLessThanOrEqual(4);
  await Promise.all(all);
  expect(ended).toBe(20);
});

test('A request that fails makes room for the next', async () => {
  const quota = createQuota({ atOnceMax: 1 });
  await expect(quota('busy', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await quota('busy', async () => 'next')).toBe('next');
});

test('At the limit of all tenants, the tenant with the fewest requests under way comes next, and each gets its turn', async () => {
  // All requests take no time.
  using _now = vi.spyOn(performance, 'now').mockReturnValue(0);
  const quota = createQuota({ atOnceMax: 2, totalMax: 2 });
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const send = (tenant: string) =>
    quota(tenant, () => {
      started.push(tenant);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = ['a', 'a', 'a', 'b', 'b', 'c'].map(send);
  expect(started).toEqual(['a', 'a']);
  for (let count = 0; count < all.length; count++) {
    ends[count]?.();
    await nextPass();
    await nextPass();
  }
  expect(started).toEqual(['a', 'a', 'b', 'a', 'c', 'b']);
  await Promise.all(all);
  await nextPass();
  await nextPass();
  const later = [send('d'), send('e')];
  expect(started.slice(6)).toEqual(['d', 'e']);
  for (const end of ends) end();
  await Promise.all(later);
});

test('At the limit of all tenants, the tenant whose requests have taken the least time comes next', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const quota = createQuota({ atOnceMax: 1, totalMax: 1 });
    const order: string[] = [];
    const send = (tenant: string, ms: number) =>
      quota(tenant, async () => {
        order.push(tenant);
        vi.advanceTimersByTime(ms);
      });
    await Promise.all(
      [...Array(3).fill('long'), ...Array(6).fill('short')].map((name) => send(name, name === 'long' ? 50 : 10)),
    );
    // After five short requests, both tenants have used 50 ms.
    expect(order.join(' ')).toBe('long short short short short short long short long');
  } finally {
    vi.useRealTimers();
  }
});

test.each([
  { tookMs: 2.9, restMs: 0 },
  { tookMs: 3, restMs: 3 },
  { tookMs: 5_000, restMs: 1_000 },
])('After a request of $tookMs ms, a tenant rests for $restMs ms', async ({ tookMs, restMs }) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  try {
    const rests: number[] = [];
    const rest = async (ms: number) => void rests.push(ms);
    const quota = createQuota({ atOnceMax: 1, rests: true, rest });
    await quota('busy', async () => vi.advanceTimersByTime(tookMs));
    await quota('busy', async () => {});
    expect(rests).toEqual(restMs === 0 ? [] : [restMs]);
  } finally {
    vi.useRealTimers();
  }
});

test("With rests, a tenant's next request waits as long as the last took, and other tenants do not wait", async () => {
  const quota = createQuota({ atOnceMax: 1, rests: true });
  const spans: { from: number; to: number }[] = [];
  const takeMs = async (ms: number) => {
    const from = performance.now();
    await vi.waitUntil(() => performance.now() - from >= ms, { interval: 1 });
    spans.push({ from, to: performance.now() });
  };
  const busy = [quota('busy', () => takeMs(20)), quota('busy', () => takeMs(1))];
  await busy[0];
  await quota('other', async () => expect(spans).toHaveLength(1));
  await busy[1];
  const [first, second] = spans as [{ from: number; to: number }, { from: number; to: number }];
  expect(second.from - first.to).toBeGreaterThanOrEqual((first.to - first.from) * 0.9);
});
