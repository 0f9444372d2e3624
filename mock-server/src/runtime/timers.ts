/** A timer that has not run yet. */
export interface Timer {
  cancel(): void;
}

/**
 * Time that passes while the process runs, and timers. Apart from the virtual clock, the delivery engine uses no other
 * time, so the simulator can run it.
 */
export interface Timers {
  /**
   * Milliseconds since some moment, including those during which the machine was suspended. The number never decreases.
   */
  now(): number;
  /**
   * Runs `act` once, `ms` milliseconds from now.
   *
   * @param options.keepsAlive - Whether the process waits for the timer. Default: true.
   */
  after(ms: number, act: () => void, options?: { keepsAlive?: boolean }): Timer;
}

/** If the system clock jumps by more than this, the machine counts as suspended for that time. */
const JUMP_MS = 1_000;

/**
 * A monotonic clock that includes the time during which the machine was suspended. On Linux, the monotonic clock of a
 * process stands still in that time, but the system clock does not. Setting the system clock forward looks the same:
 * the process then believes that it was frozen, which does no harm.
 */
export function createElapsedTime(monotonic = () => performance.now(), system = () => Date.now()): () => number {
  let ahead = system() - monotonic();
  let suspended = 0;
  return () => {
    const now = monotonic();
    const aheadNow = system() - now;
    if (aheadNow - ahead > JUMP_MS) suspended += aheadNow - ahead;
    ahead = aheadNow;
    return now + suspended;
  };
}

/** The timers of this process. */
export const processTimers: Timers = {
  now: createElapsedTime(),
  after(ms, act, { keepsAlive = true } = {}) {
    const timer = setTimeout(act, ms);
    if (!keepsAlive) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
