/** A call of the control API failed. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The code of the server's error, `TIMEOUT` for a wait that timed out, or `UNREACHABLE` if there was no response. */
  readonly code: string;
  /** The HTTP status. Undefined if there was no response. */
  readonly status: number | undefined;
  /** The response's body. */
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
