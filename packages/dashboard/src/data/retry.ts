const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;

/** Repeats a failed action after a wait. Each wait is longer than the previous wait, up to a maximum. */
export interface Retry {
  /**
   * Tries again after a wait: at first 0.5 s, then twice the previous wait, at most 5 s. If the page is hidden, the try
   * waits until the page is shown.
   */
  later(): void;
  /** Cancels the planned try, and resets the next wait to 0.5 s. */
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
