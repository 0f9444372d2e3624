import { API_HEADERS, ERROR_STATUSES, type ErrorBody, type ErrorCode } from '@svc/contract';
import { ImportError } from '../domain/profiles/profile-import.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import { TooManyWaitingError } from '../runtime/quota.ts';
import { DataReplacedError, type FailedOutcome, isUniqueViolation, StorageUnavailableError } from '../storage/port.ts';

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

export const invalidTarget = () => validation('The request target or the Host header is not valid.');

export const unavailable = (message: string) => new ApiError('UNAVAILABLE', message, { [API_HEADERS.retryAfter]: '1' });

export const shuttingDown = (rest = '.') => unavailable(`The server is shutting down${rest}`);

export const unauthenticated = (message: string) =>
  new ApiError('UNAUTHENTICATED', message, { 'WWW-Authenticate': 'Bearer' });

export const forbidden = (message: string) => new ApiError('FORBIDDEN', message);

export const conflict = (message: string) => new ApiError('CONFLICT', message);

export const notFound = (what: string, id: string) => new ApiError('NOT_FOUND', `No such ${what}: ${id}`);

/** @throws 404 if there is no value. */
export function found<Value>(value: Value | undefined, what: string, id: string): Value {
  if (value === undefined) throw notFound(what, id);
  return value;
}

/** An unknown workspace causes the same response, so that nobody can find out whether a workspace exists. */
export const workspaceForbidden = () => forbidden('The credential has no access to this workspace.');

const OUTCOMES: Record<FailedOutcome, string> = {
  unchanged: 'nothing was changed. Try again.',
  unknown: 'the change may or may not be stored. Try again.',
  moved: 'the clock may have moved part of the way. Read the clock before you move it again.',
  imported: 'some of the profiles were imported. Send all profiles again.',
};

const TOO_MANY =
  'Too many requests from this client are waiting. Nothing was changed; send fewer requests at the same time.';

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ImportError) return validation(error.message);
  if (error instanceof ClosingError) return shuttingDown(error.movedClock ? `; ${OUTCOMES.moved}` : undefined);
  if (error instanceof TooManyWaitingError) return unavailable(TOO_MANY);
  if (error instanceof DataReplacedError) return unavailable(error.message);
  if (error instanceof StorageUnavailableError) {
    return unavailable(`The database is unavailable; ${OUTCOMES[error.outcome]}`);
  }
  return new ApiError(
    'INTERNAL',
    `The server failed. Search the server's log for the ${API_HEADERS.requestId} of this response.`,
  );
}

/** Thrown if the connection is cut before the response. Looks like the error that `fetch` throws in a client. */
export class ConnectionCutError extends TypeError {
  constructor() {
    super('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  }
}

export async function orConflict<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw isUniqueViolation(error) ? conflict(message) : error;
  }
}
