/**
 * Thrown if the requested action did not happen: for example, if a wait timed out, a delivery failed, or a signature is
 * not valid. The exit code is 1.
 */
export class DidNotHappenError extends Error {
  override readonly name = 'DidNotHappenError';
}

/** Thrown if the command was used incorrectly. The exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
