/**
 * The requested action did not happen: for example, a wait timed out, a delivery failed, or a signature is not valid.
 * Exit code 1.
 */
export class DidNotHappenError extends Error {
  override readonly name = 'DidNotHappenError';
}

/** The command was used incorrectly. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
