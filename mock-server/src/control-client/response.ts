import { createRedaction } from '../domain/credential.ts';

/** The error that a failed call to the control API throws. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /**
   * The error code in the server's response. The code is `TIMEOUT` if a wait timed out, and `UNREACHABLE` if there was
   * no response. If a response has no code or is not JSON, the code is `HTTP_` followed by the status.
   */
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

/** Throws {@link ControlError} unless the response is successful and contains JSON. */
export async function readResponse(
  baseUrl: string,
  adminToken: string | undefined,
  send: () => Promise<{ status: number; text: string }>,
): Promise<unknown> {
  const { status, text } = await reach(baseUrl, send);
  const body = jsonOf(text);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  throw refusal(status, text, baseUrl, adminToken);
}

/** @throws {@link ControlError} with the code `UNREACHABLE` if there is no response. */
export async function reach<Result>(baseUrl: string, send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (cause) {
    // A service that runs in this process rejects with a `ConfigError` if it cannot start.
    if (cause instanceof ControlError || (cause as Error).name === 'ConfigError') throw cause;
    const message = `Cannot reach the server at ${baseUrl}. Is it running? Start it with: svc-mock start`;
    throw new ControlError(message, { code: 'UNREACHABLE', cause });
  }
}

/** Returns `undefined` if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Redacts the admin token, because a proxy may quote the request in its error. */
export function refusal(status: number, text: string, baseUrl: string, adminToken?: string): ControlError {
  const body = jsonOf(createRedaction(adminToken)(text));
  const { code, message } = Object(Object(body).error) as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return new ControlError(String(message), { code, status, body });
  if (status === 408)
    return new ControlError('The condition was not met before the timeout.', { code: 'TIMEOUT', status, body });
  return new ControlError(
    `${baseUrl} responded with ${status} without the control API's error envelope. Is this the URL of svc-mock?`,
    { code: `HTTP_${status}`, status, body },
  );
}
