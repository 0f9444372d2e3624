/** A command did not do what it was asked for. The message is one line for people. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  /** 1: it did not happen. 2: the command was used incorrectly, or the server cannot be reached. */
  readonly exitCode: 1 | 2;

  constructor(message: string, exitCode: 1 | 2) {
    super(message);
    this.exitCode = exitCode;
  }
}
