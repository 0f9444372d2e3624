/** An error that the user must correct, such as an invalid option. The command exits with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
