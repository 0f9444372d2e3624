/** `setTimeout`, for at most the longest delay that it takes: with a longer one it would fire at once. */
export function startTimer(ms: number, then: () => void): ReturnType<typeof setTimeout> {
  return setTimeout(then, Math.min(ms, 2 ** 31 - 1));
}

/** Waits until what `start` begins calls back. As soon as the signal is aborted, ends it and throws the signal's reason. */
export function wait(signal: AbortSignal, start: (done: () => void) => () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = start(resolve);
    signal.addEventListener('abort', () => {
      stop();
      reject(signal.reason);
    });
  });
}
