export interface Timer {
  cancel(): void;
}

/** The timers and the monotonic clock of the delivery engine. A simulator replaces them to control the engine. */
export interface Timers {
  /** Milliseconds since an arbitrary moment. Includes the time while the machine was suspended. Never decreases. */
  now(): number;
  /** @param options.keepsAlive - Whether the process stays alive until the timer has run. Default: true. */
  after(ms: number, act: () => void, options?: { keepsAlive?: boolean }): Timer;
}

/** If the system clock jumps forward by more than this, the jump counts as a suspension of the machine. */
const JUMP_MS = 1_000;

/**
 * A monotonic clock that includes the time during which the machine was suspended. On Linux, the monotonic clock of a
 * process stands still during that time, but the system clock does not. Setting the system clock forward also looks
 * like a suspension. A false suspension does no harm.
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
