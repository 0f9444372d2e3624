/** Work that stores its results in the database. */
export interface Watched {
  /** Whether this node can store the work's results (`delivery/dispatcher.ts`). Always true without this method. */
  isHealthy?(): boolean;
}

/**
 * How long a caller waits for results that cannot be stored, for example because the disk is full. Without this limit,
 * the caller would wait until there is space, and all callers after it in a queue would wait, too.
 */
const UNHEALTHY_MAX_MS = 10_000;

/** Returns a function to call repeatedly: it returns false once the work has been unhealthy for too long. */
export function createHealthWatch(work: readonly Watched[], unhealthyMaxMs = UNHEALTHY_MAX_MS): () => boolean {
  let healthyAt = performance.now();
  return () => {
    const now = performance.now();
    if (work.every((one) => one.isHealthy?.() ?? true)) healthyAt = now;
    return now - healthyAt <= unhealthyMaxMs;
  };
}
