import { AbortedError, ApiError, NetworkError, ServiceError } from '@svc/client';

export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** The status of the response, or 0 if there was no response. */
  readonly status: number;
  readonly code: string;

  constructor(message: string, status: number, code: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

export function errorOf(status: number, body: unknown): ControlError {
  const { code = '', message } = Object(Object(body).error) as { code?: string; message?: string };
  return new ControlError(message ?? `The server responded with status ${status}.`, status, code);
}

export const unreachable = (cause?: unknown): ControlError =>
  new ControlError('Cannot reach the server.', 0, 'UNREACHABLE', { cause });

/** Returns an error's HTTP status, 0 if the server could not be reached, or `undefined` if the error has no status. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof ControlError || error instanceof ApiError) return error.status;
  if (error instanceof NetworkError) return 0;
  return undefined;
}

/** Whether an error may be temporary, because the server is unreachable, is stopping or has lost its database. */
export function isUnavailable(error: unknown): boolean {
  const status = statusOf(error);
  return status === 0 || status === 503 || (error instanceof ServiceError && error.code === 'TIMEOUT');
}

export const isAborted = (error: unknown): boolean =>
  error instanceof AbortedError || (error instanceof DOMException && error.name === 'AbortError');

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
