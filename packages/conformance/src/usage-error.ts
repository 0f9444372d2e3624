/** The user must correct this error, such as an invalid option. The command exits with status 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
