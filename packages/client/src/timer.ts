/**
 * Starts a timer and returns a function that stops it. Limits the delay to the maximum of `setTimeout`, because a timer
 * with a longer delay would fire immediately.
 */
export function startTimer(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, Math.min(ms, 2 ** 31 - 1));
  return () => clearTimeout(timer);
}

/**
 * Calls `start`, and waits until `done` or `fail` is called. If the signal is aborted, calls the function that `start`
 * returned, if any, and throws the signal's reason. At the end, removes the abort listener, which would keep the value
 * in memory.
 */
export function wait<Value = void>(
  signal: AbortSignal,
  start: (done: (value: Value) => void, fail: (error: unknown) => void) => (() => void) | undefined,
): Promise<Value> {
  let abort: () => void;
  return new Promise<Value>((resolve, reject) => {
    const stop = start(resolve, reject);
    abort = () => {
      stop?.();
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort);
  }).finally(() => signal.removeEventListener('abort', abort));
}
