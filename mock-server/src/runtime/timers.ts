export interface Timer {
  cancel(): void;
}

/** The timers and the monotonic clock of the delivery engine. The simulator has its own timers and clock. */
export interface Timers {
  /** Milliseconds since an arbitrary moment, including the time while the machine was suspended. Never decreases. */
  now(): number;
  /** @param options.keepsAlive - Whether the timer keeps the process alive. Default: true. */
  after(ms: number, act: () => void, options?: { keepsAlive?: boolean }): Timer;
}

/** If the system clock jumps by more than this, the machine counts as having been suspended. */
const JUMP_MS = 1_000;

/**
 * A monotonic clock that also counts the time for which the machine is suspended. On Linux, the process's monotonic
 * clock stands still during a suspension, but the system clock does not. Setting the system clock forward also counts
 * as a suspension, which does no harm.
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

export const processTimers: Timers = {
  now: createElapsedTime(),
  after(ms, act, { keepsAlive = true } = {}) {
    const timer = setTimeout(act, ms);
    if (!keepsAlive) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
