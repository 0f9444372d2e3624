/** Starts a timer, of at most the longest delay that `setTimeout` takes: with a longer one it would fire at once. Gives what stops it. */
export function startTimer(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1));
  return () => clearTimeout(timer);
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
