/** The longest delay that timers take; a longer one would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** Calls `then` after `ms`, never if that is beyond what timers can do. Gives the function that stops it. */
export function startTimer(ms: number, then: () => void): () => void {
  if (ms > LONGEST_MS) return () => {};
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

/** Waits; throws the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      stop();
      signal.removeEventListener('abort', end);
      signal.aborted ? reject(signal.reason) : resolve();
    };
    const stop = startTimer(ms, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}
