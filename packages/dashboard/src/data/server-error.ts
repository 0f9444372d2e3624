import { AbortedError, ApiError, NetworkError, ServiceError } from '@svc/client';

/** A call of the control API failed. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  /** 0 if there was no response. */
  readonly status: number;
  readonly code: string;

  constructor(message: string, status: number, code: string, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.code = code;
  }
}

/** The status of the response that an error stands for; 0 if there was none. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof ControlError || error instanceof ApiError) return error.status;
  if (error instanceof NetworkError) return 0;
  return undefined;
}

/** Whether the server cannot be reached, shuts down or lacks its database: it may come back. */
export function isUnavailable(error: unknown): boolean {
  const status = statusOf(error);
  return status === 0 || status === 503 || (error instanceof ServiceError && error.code === 'TIMEOUT');
}

export const isAborted = (error: unknown): boolean =>
  error instanceof AbortedError || (error instanceof DOMException && error.name === 'AbortError');

/** What an error says to people. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
