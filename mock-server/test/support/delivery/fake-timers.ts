import type { Timers } from '../../../src/runtime/timers.ts';

/** Timers on a clock that only the test moves. */
export interface FakeTimers extends Timers {
  /**
   * Moves the clock, and runs each timer at its time. If a timer starts database work and returns its promise, as the
   * lease of a node does, the clock stands still until that work has ended.
   */
  pass(ms: number): Promise<void>;
  /** Moves the clock without running timers, as if the process had been frozen. Timers that are late run at the next `pass`. */
  freeze(ms: number): void;
}

export function createFakeTimers(): FakeTimers {
  let now = 0;
  const waiting = new Set<{ at: number; act(): unknown }>();
  return {
    now: () => now,
    after(ms, act) {
      const timer = { at: now + ms, act };
      waiting.add(timer);
      return { cancel: () => void waiting.delete(timer) };
    },
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        waiting.delete(next);
        now = Math.max(now, next.at);
        await next.act();
      }
      now = Math.max(now, end);
    },
    freeze(ms) {
      now += ms;
    },
  };
}
