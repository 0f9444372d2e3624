import type { ErrorCode, Open } from '@svc/contract';

/** Shared by every copy of this package in a process, so that guards recognise each other's errors. */
const BRAND = Symbol.for('@svc/client/error');

/**
 * Everything that this package throws.
 *
 * It never holds the credential, a request or its headers; `toJSON` and `console.log` are safe.
 *
 * {@includeCode ../test/documented/errors.ts#log}
 */
export abstract class ServiceError extends Error {
  /** Stable; programs decide by it. */
  declare readonly code: string;
  /** The operation that failed, as the API reference names it; absent where there was none: on what is thrown at once. */
  declare readonly operation?: string;
  /** Requests that were made, or begun. */
  declare readonly attempts: number;

  constructor(message: string, fields?: object, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
  }

  /** Every field, without the stack and the cause: safe to log and to send. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, attempts } = this;
    return { name, code, message, attempts, ...(this as object) };
  }
}

/**
 * What an {@link ApiError} tells beside its message.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export interface ApiErrorFields<Code extends string = Open<ErrorCode>> {
  /** HTTP status; 0 for a redirect in a browser, which hides it. */
  status: number;
  /** The service's code, or `HTTP_<status>` where the answer is not the service's, for example a gateway's page. */
  code: Code;
  /** The answer's `Service-Request-Id`: give it to support. */
  requestId: string | null;
  /** The wait that the answer asks for, in milliseconds, from when it came: it may have come to another call, which then holds this one. */
  retryAfterMs: number | null;
}

/**
 * The service answered with a status that is not 2xx; its `message` is the service's.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class ApiError<Code extends string = Open<ErrorCode>> extends ServiceError implements ApiErrorFields<Code> {
  declare readonly status: number;
  declare readonly code: Code;
  declare readonly requestId: string | null;
  declare readonly retryAfterMs: number | null;

  constructor(message: string, fields: ApiErrorFields<Code>) {
    super(message, fields);
  }
}

/**
 * No answer came, or its body was cut off. `cause` is what the runtime said, cleared of the credential.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class NetworkError extends ServiceError {
  declare readonly code: 'NETWORK';
  /** True where the request surely never reached the service: the connection was refused, or the name unknown. */
  declare readonly neverArrived: boolean;
}

/**
 * This client's own time was up: `timeoutMs` of one attempt, or `deadlineMs` of all. A wait past the deadline that an
 * answer asked for is that answer's {@link ApiError}.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class TimeoutError extends ServiceError {
  declare readonly code: 'TIMEOUT';
  declare readonly limit: 'timeoutMs' | 'deadlineMs';
}

/**
 * The caller's signal was aborted, or the client was closed. `cause` is the signal's reason.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class AbortedError extends ServiceError {
  declare readonly code: 'ABORTED';
}

/**
 * The answer is 2xx and not what it should be: no JSON, another shape, a page URL seen before or of another origin, or it
 * failed validation. What was asked for may be done.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class ResponseError extends ServiceError {
  declare readonly code: 'RESPONSE';
  declare readonly status: number;
  /** The answer's `Service-Request-Id`: give it to support. */
  declare readonly requestId: string | null;
  /** What validation found, where it was validation. */
  declare readonly issues?: readonly unknown[];

  constructor(message: string, { status, requestId, attempts }: AnswerOf, more?: object) {
    super(message, { status, requestId, attempts, ...more });
  }
}

/** What a {@link ResponseError} tells of the answer. */
interface AnswerOf {
  status: number;
  requestId: string | null;
  attempts: number;
}

/**
 * The call is wrong and was not sent: an id that is none, a URL of another origin, an option out of bounds, a header or a
 * body that cannot be written. Or what was handed in is: a middleware that reads the body, a `fetch` that gives no `Response`.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class UsageError extends ServiceError {
  declare readonly code: 'USAGE';
}

// Names are given here, because minifiers rename classes, and consoles print their names.
for (const [word, kind] of Object.entries({
  Api: ApiError,
  Network: NetworkError,
  Timeout: TimeoutError,
  Aborted: AbortedError,
  Response: ResponseError,
  Usage: UsageError,
})) {
  const name = `${word}Error`;
  Object.assign(kind.prototype, { name, code: word.toUpperCase(), attempts: 0, [BRAND]: name });
  Object.defineProperty(kind, 'name', { value: name });
}

/**
 * Whether `error` is one of this package's, also where another copy of the package threw it.
 *
 * {@includeCode ../test/documented/errors.ts#log}
 */
export function isServiceError(error: unknown): error is ServiceError {
  return brandOf(error) !== undefined;
}

/**
 * Whether `error` is an answer of the service, with this `code` if one is given.
 *
 * It recognises the errors of every copy of this package in the process, which `instanceof` does not.
 *
 * {@includeCode ../test/documented/errors.ts#code}
 */
export function isApiError<const Code extends Open<ErrorCode>>(error: unknown, code: Code): error is ApiError<Code>;
export function isApiError(error: unknown): error is ApiError;
export function isApiError(error: unknown, code?: string): error is ApiError {
  return brandOf(error) === 'ApiError' && (code === undefined || (error as ApiError).code === code);
}

function brandOf(value: unknown): unknown {
  return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND];
}
