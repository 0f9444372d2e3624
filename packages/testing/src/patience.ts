/**
 * How long a test waits for a condition before it gives up. Only a failing test waits this long. The limit is generous
 * because a busy machine is slow, and a slow machine is not a fault.
 */
export const PATIENCE_MS = 60_000;

/**
 * The time limit for one test or hook. A test may wait for many conditions: for example, one test checks every
 * statement of the service document.
 */
export const TEST_MAX_MS = 10 * PATIENCE_MS;

/** A signal that ends a wait after {@link PATIENCE_MS}. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
