export const FIRST_WAIT_MS = 500;
export const LONGEST_WAIT_MS = 5_000;

export interface Retry {
  /**
   * Tries again after 0.5 s. Each later wait is twice as long as the wait before it, up to 5 s. A hidden page waits
   * until it is shown.
   */
  later(): void;
  /** Cancels the planned attempt, and resets the next wait to 0.5 s. */
  reset(): void;
}

export function createRetry(again: () => void): Retry {
  let waitMs = FIRST_WAIT_MS;
  let dueAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => {
    clearTimeout(timer);
    dueAt = undefined;
    document.removeEventListener('visibilitychange', arm);
  };
  const arm = () => {
    clearTimeout(timer);
    if (dueAt === undefined || document.hidden) return;
    timer = setTimeout(
      () => {
        stop();
        again();
      },
      Math.max(0, dueAt - Date.now()),
    );
  };
  return {
    later() {
      if (dueAt !== undefined) return;
      dueAt = Date.now() + waitMs;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      document.addEventListener('visibilitychange', arm);
      arm();
    },
    reset() {
      waitMs = FIRST_WAIT_MS;
      stop();
    },
  };
}
