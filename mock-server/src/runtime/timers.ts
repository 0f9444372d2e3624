/** A timer that has not run yet. */
export interface Timer {
  cancel(): void;
}

/**
 * Time that passes while the process runs, and timers. The delivery engine uses no other time but the virtual clock, so
 * the simulator can run it.
 */
export interface Timers {
  /** Milliseconds since some moment. They never go back. */
  now(): number;
  /**
   * Runs `act` once, `ms` milliseconds from now.
   *
   * @param options.keepsAlive - Whether the process waits for it. Default: true.
   */
  after(ms: number, act: () => void, options?: { keepsAlive?: boolean }): Timer;
}

/** The timers of this process. */
export const processTimers: Timers = {
  now: () => performance.now(),
  after(ms, act, { keepsAlive = true } = {}) {
    const timer = setTimeout(act, ms);
    if (!keepsAlive) timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
