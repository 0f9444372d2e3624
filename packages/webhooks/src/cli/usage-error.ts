/** A mistake in the command line, or a file that cannot be read as what it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help tells more. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}
