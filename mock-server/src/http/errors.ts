import { API_HEADERS, ERROR_STATUSES, type ErrorBody, type ErrorCode } from '@svc/contract';

/** An error response. Throw this error to reject a request. The response contains the message. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }

  get status(): (typeof ERROR_STATUSES)[ErrorCode] {
    return ERROR_STATUSES[this.code];
  }

  get body(): ErrorBody {
    return { error: { code: this.code, message: this.message } };
  }
}

export const validation = (message: string) => new ApiError('VALIDATION', message);

/** A 503 with a `Retry-After` of one second. */
export const unavailable = (message: string) => new ApiError('UNAVAILABLE', message, { [API_HEADERS.retryAfter]: '1' });

export const shuttingDown = () => unavailable('The server is shutting down.');

export const unauthenticated = (message: string) =>
  new ApiError('UNAUTHENTICATED', message, { 'WWW-Authenticate': 'Bearer' });

export const notFound = (what: string, id: string) => new ApiError('NOT_FOUND', `No such ${what}: ${id}`);

/** A 403 for a workspace that the caller cannot access. The response is the same if the workspace does not exist. */
export const workspaceForbidden = () => new ApiError('FORBIDDEN', 'The credential has no access to this workspace.');
