/** The error for a mistake in the command line, or for a file that cannot be read or has the wrong content. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help the error message mentions. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}
