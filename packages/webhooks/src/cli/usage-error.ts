/** A mistake in the command line, or a file that is not what it should be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The command whose help explains more. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.command = command;
  }
}
