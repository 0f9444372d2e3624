/** A mistake in the command line, or a service that the suite cannot use with these options. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
