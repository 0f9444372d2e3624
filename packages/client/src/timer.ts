/** Starts a timer, of at most the longest delay that `setTimeout` takes: with a longer one it would fire at once. Gives what stops it. */
export function startTimer(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1));
  return () => clearTimeout(timer);
}

/** Waits until what `start` begins calls back. As soon as the signal is aborted, stops it, if it can be, and throws the signal's reason. */
export function wait<Value = void>(
  signal: AbortSignal,
  start: (done: (value: Value) => void, fail: (error: unknown) => void) => (() => void) | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = start(resolve, reject);
    signal.addEventListener('abort', () => {
      stop?.();
      reject(signal.reason);
    });
  });
}
