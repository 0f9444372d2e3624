/** The error that a failed call to the control API throws. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The code of the server's error: `TIMEOUT` if a wait timed out, `UNREACHABLE` if there was no response. */
  readonly code: string;
  /** The HTTP status. `undefined` if there was no response. */
  readonly status: number | undefined;
  /** The body of the response. */
  readonly body: unknown;

  constructor(
    message: string,
    { code, status, body, cause }: { code: string; status?: number; body?: unknown; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.body = body;
  }
}
