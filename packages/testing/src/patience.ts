/**
 * The maximum time that a test waits for a condition. Only a failing test waits this long. The limit is generous,
 * because a busy machine is slow.
 */
export const PATIENCE_MS = 60_000;

/**
 * The time limit of a test. A test may wait for many conditions. For example, one test checks every statement of the
 * service document.
 */
export const TEST_MAX_MS = 10 * PATIENCE_MS;

export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
