/**
 * An error that the user must correct, such as an invalid option or a service that cannot be reached. The command
 * prints the message and exits with status 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
