import type { Timer, Timers } from '../runtime/timers.ts';

/** One kind of database work that repeats on request, such as writing results back. */
export interface WorkLoop {
  /**
   * Runs it now, or once more when a run ends if `width` runs are active. After a failure, only the end of the pause
   * starts a run.
   */
  request(): void;
  /** Whether it runs again when the current run ends. */
  isRequested(): boolean;
  isRunning(): boolean;
  /** Consecutive failures. */
  failures(): number;
  /** Starts no further runs. Resolves when none is active. */
  stop(): Promise<void>;
}

/** What to run, and how. */
export interface WorkLoopOptions {
  run(): Promise<void>;
  /** Called for a failure that a pause follows. Not called after `stop`. */
  failed(error: unknown, retryInMs: number): void;
  /** The most runs at the same time. */
  width: number;
  timers: Timers;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Runs one kind of database work, up to `width` runs at a time. Each failure is followed by a pause that grows with
 * consecutive failures.
 */
export function createWorkLoop({ run, failed, width, timers }: WorkLoopOptions): WorkLoop {
  let requested = false;
  let stopped = false;
  let failures = 0;
  let pause: Timer | undefined;
  const running = new Set<Promise<void>>();

  async function loop(): Promise<void> {
    do {
      requested = false;
      try {
        await run();
        succeed();
      } catch (error) {
        fail(error);
        return;
      }
    } while (requested && !stopped);
  }

  function succeed(): void {
    failures = 0;
    if (!pause) return;
    // The database is back. Runs that failed meanwhile need not wait any longer.
    pause.cancel();
    pause = undefined;
    requested = true;
  }

  function fail(error: unknown): void {
    requested = false;
    // Parallel runs fail together. That counts as one failure.
    if (pause) return;
    failures++;
    const retryInMs = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    if (stopped) return;
    failed(error, retryInMs);
    pause = timers.after(retryInMs, () => {
      pause = undefined;
      start();
    });
  }

  function start(): void {
    const loops = loop().finally(() => running.delete(loops));
    running.add(loops);
  }

  return {
    request() {
      requested = true;
      if (running.size < width && !stopped && failures === 0) start();
    },
    isRequested: () => requested,
    isRunning: () => running.size > 0,
    failures: () => failures,
    async stop() {
      stopped = true;
      pause?.cancel();
      await Promise.all(running);
    },
  };
}
