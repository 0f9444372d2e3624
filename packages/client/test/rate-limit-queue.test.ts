import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../src/errors.ts';
import { createLimiter, type Limiter } from '../src/rate-limit-queue.ts';

const START = Date.parse('2026-03-01T09:30:00.000Z');
const refusal = new ApiError('later', { status: 429, code: 'RATE_LIMITED', requestId: null, retryAfterMs: 5000 });
const unheard = () => {};
const told = (remaining: number, seconds: number, limit = 10) => ({
  limit,
  remaining,
  resetAt: new Date(Date.now() + seconds * 1000),
});

beforeEach(() => void vi.useFakeTimers({ now: START }));
afterEach(() => void vi.useRealTimers());

/** Lets `count` attempts ask for a slot. @returns when they got it, in milliseconds from the start. */
function ask(limiter: Limiter, count: number): number[] {
  const wentAt: number[] = [];
  for (let i = 0; i < count; i++) limiter.enter(() => wentAt.push(Date.now() - START), unheard);
  return wentAt;
}

/** Lets one more attempt ask. @returns the wait that is reported to it, or `undefined` if it does not wait. */
function toldTo(limiter: Limiter): { ms: number; by: ApiError | undefined } | undefined {
  let wait: ReturnType<typeof toldTo>;
  limiter.enter(
    () => {},
    (ms, by) => {
      wait = { ms, by };
    },
  );
  return wait;
}

describe('reacting to the rate limit', () => {
  it('lets attempts proceed until a 429 holds all of them', async () => {
    const limiter = createLimiter('react', 300);
    const before = ask(limiter, 3);
    await vi.advanceTimersByTimeAsync(0);
    expect(before).toEqual([0, 0, 0]);
    limiter.hold(START + 5000, refusal);
    const after = ask(limiter, 2);
    await vi.advanceTimersByTimeAsync(4999);
    expect(after).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(after).toEqual([5000, 5000]);
  });

  it('uses the longest wait that was requested', async () => {
    const limiter = createLimiter('react', 300);
    limiter.hold(START + 5000, refusal);
    limiter.hold(START + 1000, refusal);
    const went = ask(limiter, 1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(went).toEqual([5000]);
  });

  it('holds for ten minutes at most, even if more was requested', async () => {
    const limiter = createLimiter('react', 300);
    limiter.hold(Number.POSITIVE_INFINITY, refusal);
    const went = ask(limiter, 1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(went).toEqual([600_000]);
  });

  it('does nothing if it is off', async () => {
    const limiter = createLimiter('off', 300);
    limiter.hold(START + 5000, refusal);
    const went = ask(limiter, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(went).toEqual([0]);
  });

  it('reports to a held call which 429 holds it and for how long, and nothing to other calls', () => {
    const limiter = createLimiter('react', 300);
    expect(toldTo(limiter)).toBeUndefined();
    limiter.hold(START + 5000, refusal);
    expect(toldTo(limiter)).toEqual({ ms: 5000, by: refusal });
  });

  it('reports whether it holds for as long as was requested', () => {
    expect(createLimiter('react', 300).hold(START + 5000, refusal)).toBe(true);
    expect(createLimiter('react', 300).hold(START + 3_600_000, refusal)).toBe(false);
    expect(createLimiter('off', 300).hold(START + 5000, refusal)).toBe(false);
  });

  it('keeps a queue of at most 1,000', async () => {
    const limiter = createLimiter('react', 300);
    limiter.hold(START + 5000, refusal);
    const went = ask(limiter, 1000);
    expect(() => limiter.enter(() => {}, unheard)).toThrow(/Too many calls/);
    expect(() => limiter.enter(() => {}, unheard, refusal)).toThrow(refusal);
    await vi.advanceTimersByTimeAsync(5000);
    expect(went).toHaveLength(1000);
    expect(toldTo(limiter)).toBeUndefined();
  });

  it('does not queue calls that will not wait, and keeps no timer for an empty queue', () => {
    const limiter = createLimiter('react', 300);
    limiter.hold(START + 5000, refusal);
    const unwilling = () => {
      throw new Error('too long');
    };
    for (let i = 0; i < 2000; i++) expect(() => limiter.enter(() => {}, unwilling)).toThrow('too long');
    expect(vi.getTimerCount()).toBe(0);
    const leave = [1, 2].map(() => limiter.enter(() => {}, unheard));
    expect(vi.getTimerCount()).toBe(1);
    for (const leaveQueue of leave) leaveQueue();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('pacing by the rate limit', () => {
  it.each([
    ['a year', 31_536_000, 600_000],
    ['a minute', 60, 60_000],
  ])('waits ten minutes at most for a window to end if the response reports %s', async (_, seconds, wentAfter) => {
    const limiter = createLimiter('pace', 300);
    ask(limiter, 1);
    limiter.leave(told(0, seconds));
    const went = ask(limiter, 1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(went).toEqual([wentAfter]);
  });

  it('lets one attempt find out the limit while the others wait', async () => {
    const limiter = createLimiter('pace', 300);
    const went = ask(limiter, 5);
    await vi.advanceTimersByTimeAsync(100);
    expect(went).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
    limiter.leave(told(9, 60));
    expect(went).toEqual([0, 100, 100, 100, 100]);
  });

  it('lets one more attempt find out the limit if the first one could not', async () => {
    const limiter = createLimiter('pace', 300);
    const went = ask(limiter, 3);
    await vi.advanceTimersByTimeAsync(50);
    limiter.leave(undefined);
    await vi.advanceTimersByTimeAsync(50);
    expect(went).toHaveLength(2);
  });

  it.each([300, 120])('counts %i requests a minute if answers state no limit', async (perMinute) => {
    const limiter = createLimiter('pace', perMinute);
    const went = ask(limiter, 2 * perMinute);
    await vi.advanceTimersByTimeAsync(100);
    for (let i = 0; i < went.length; i++) limiter.leave(null);
    await vi.advanceTimersByTimeAsync(59_900);
    expect(went).toHaveLength(perMinute);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(went.length).toBeGreaterThan(perMinute);
    expect(went.length).toBeLessThanOrEqual(2 * perMinute);
  });

  it('prefers what answers state to what it counted', async () => {
    const limiter = createLimiter('pace', 120);
    const went = ask(limiter, 100);
    limiter.leave(null);
    limiter.leave(told(1, 30));
    await vi.advanceTimersByTimeAsync(29_000);
    expect(went.length).toBeLessThan(70);
    limiter.leave(null);
    await vi.advanceTimersByTimeAsync(1_000_000);
    expect(went).toHaveLength(100);
  });

  it('counts nothing without pacing', async () => {
    const limiter = createLimiter('react', 120);
    const went = ask(limiter, 1);
    limiter.leave(null);
    ask(limiter, 200);
    expect(toldTo(limiter)).toBeUndefined();
    expect(went).toEqual([0]);
  });

  it('uses half a window at once, spreads the other half, and continues in the next window', async () => {
    const limiter = createLimiter('pace', 300);
    const went = ask(limiter, 15);
    await vi.advanceTimersByTimeAsync(0);
    limiter.leave(told(9, 60));
    await vi.advanceTimersByTimeAsync(59_000);
    const inFirstWindow = went.length;
    expect(inFirstWindow).toBe(10);
    expect(went.filter((at) => at <= 20)).toHaveLength(6);
    const gaps = went.slice(6).map((at, i) => at - (went[i + 5] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(5000);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(went.length).toBe(15);
    expect(Math.min(...went.slice(10))).toBeGreaterThanOrEqual(60_000);
  });

  it('counts the requests of others with the same credential', async () => {
    const limiter = createLimiter('pace', 300);
    const first = ask(limiter, 1);
    await vi.advanceTimersByTimeAsync(0);
    expect(first).toEqual([0]);
    limiter.leave(told(0, 30));
    const went = ask(limiter, 2);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(went).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(went).toEqual([30_000, 30_000]);
  });

  it('wakes once for each turn, even if many calls wait, and lets them proceed in order', async () => {
    const limiter = createLimiter('pace', 300);
    const order: number[] = [];
    for (let i = 0; i < 20; i++) limiter.enter(() => order.push(i), unheard);
    limiter.leave(told(9, 60));
    let looks = 0;
    while (order.length < 20) {
      expect(vi.getTimerCount()).toBe(1);
      await vi.advanceTimersToNextTimerAsync();
      looks++;
    }
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    // Timers have whole milliseconds, so one may fire a fraction too early. It is then repeated.
    expect(looks).toBeLessThan(30);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports to a call the earliest window in which its turn may come', () => {
    const limiter = createLimiter('pace', 300);
    ask(limiter, 1);
    limiter.leave(told(0, 60));
    expect(toldTo(limiter)).toEqual({ ms: 60_000, by: undefined });
    ask(limiter, 9);
    expect(toldTo(limiter)).toEqual({ ms: 120_000, by: undefined });
  });

  it('uses the lowest remaining count when answers overtake each other', async () => {
    const limiter = createLimiter('pace', 300);
    ask(limiter, 1);
    await vi.advanceTimersByTimeAsync(0);
    limiter.leave(told(4, 60));
    ask(limiter, 2);
    await vi.advanceTimersByTimeAsync(60_000 / 4);
    limiter.leave(told(1, 45));
    limiter.leave(told(3, 45));
    const went = ask(limiter, 3);
    await vi.advanceTimersByTimeAsync(44_000);
    expect(went.length).toBeLessThanOrEqual(1);
  });
});
