/** Only a failing test waits this long for a condition. The limit is generous, because a busy machine is slow. */
export const PATIENCE_MS = 60_000;

/** A test may wait for many conditions: for example, one test checks every statement of the service document. */
export const TEST_MAX_MS = 10 * PATIENCE_MS;

export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
