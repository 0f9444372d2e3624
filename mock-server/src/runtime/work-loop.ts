import { processTimers, type Timer, type Timers } from './timers.ts';

export type WorkLoop = ReturnType<typeof createWorkLoop>;

interface WorkLoopOptions {
  run(): Promise<void>;
  /** Called after a failed run, before the pause that follows the run. Not called after `stop`. */
  failed(error: unknown, retryInMs: number): void;
  /** Called when the time set by `requestIn` has come, unless another run started earlier. */
  onTime?(): void;
  width?: number;
  timers?: Timers;
}

const TIMER_MAX_MS = 2 ** 31 - 1;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Runs one kind of database work, such as storing results, on request. Pauses longer after each consecutive failure.
 */
export function createWorkLoop(options: WorkLoopOptions) {
  const { run, failed, onTime, width = 1, timers = processTimers } = options;
  let requested = false;
  let stopped = false;
  let failures = 0;
  let pause: Timer | undefined;
  const next = createNext(timers, () => {
    onTime?.();
    request();
  });
  const running = new Set<Promise<void>>();

  async function loop(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    // Add the promise first, because `request` must count this run even if the work itself requests the next run.
    running.add(ended.promise);
    try {
      do {
        requested = false;
        next.cancel();
        await run();
        succeed();
      } while (requested && !stopped);
    } catch (error) {
      fail(error);
    } finally {
      // No `await` may come between the last check of `requested` and this line. Otherwise, a request could be lost.
      running.delete(ended.promise);
      ended.resolve();
    }
  }

  function succeed(): void {
    failures = 0;
    if (!pause) return;
    // The database responds again, so end the pause that a failed parallel run has started.
    pause.cancel();
    pause = undefined;
    requested = true;
  }

  function fail(error: unknown): void {
    requested = false;
    // Parallel runs usually fail together, so their failures count as one failure.
    if (pause) return;
    failures++;
    const retryInMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    if (stopped) return;
    failed(error, retryInMs);
    pause = timers.after(retryInMs, () => {
      pause = undefined;
      void loop();
    });
  }

  /** Requests a run, which starts when there is no pause and fewer than `width` runs are active. */
  function request(): void {
    requested = true;
    if (running.size < width && !stopped && failures === 0) void loop();
  }

  return {
    request,
    /** Requests a run in `ms` milliseconds. Does not keep the process alive. */
    requestIn(ms: number): void {
      if (!stopped) next.setIn(ms);
    },
    isRequested: () => requested,
    isRunning: () => running.size > 0,
    failures: () => failures,
    /** Starts no further runs. Resolves when all active runs have ended. */
    async stop(): Promise<void> {
      stopped = true;
      pause?.cancel();
      next.cancel();
      await Promise.all(running);
    },
  };
}

/** Creates the timer that starts the next requested run. If several runs are requested, the earliest time counts. */
function createNext(timers: Timers, act: () => void) {
  let next: { timer: Timer; at: number } | undefined;
  return {
    setIn(ms: number): void {
      const waitMs = Math.min(Math.max(ms, 0), TIMER_MAX_MS);
      const at = timers.now() + waitMs;
      if (next && next.at <= at) return;
      next?.timer.cancel();
      const look = () => {
        next = undefined;
        act();
      };
      next = { timer: timers.after(waitMs, look, { keepsAlive: false }), at };
    },
    cancel(): void {
      next?.timer.cancel();
      next = undefined;
    },
  };
}
