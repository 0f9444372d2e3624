/** A mistake in the command line, or a service that the suite cannot use as it was told. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
