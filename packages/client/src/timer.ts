/** `setTimeout`, for at most the longest delay that it takes: with a longer one it would fire at once. */
export function startTimer(ms: number, then: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(then, Math.min(ms, 2 ** 31 - 1));
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(ms, resolve);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
