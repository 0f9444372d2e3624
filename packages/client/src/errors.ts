import type { ErrorCode, Open } from '@svc/contract';
import type { Evidence } from './evidence.ts';
import type { ResponseHeaders } from './platform.ts';

/**
 * All copies of this package in a process share this symbol, so each copy's `isServiceError` recognizes the errors of
 * all copies.
 */
const BRAND = Symbol.for('@svc/client/error');

/**
 * The base class of every error that this package throws.
 *
 * An error never contains the credential, the request or its headers, so `toJSON` and `console.log` are safe.
 *
 * {@includeCode ../test/documented/errors.ts#log}
 */
export abstract class ServiceError extends Error {
  /** A stable error code for programs to compare. */
  declare readonly code: string;
  /** The name of the failed operation in the API reference. Absent if the error was thrown before a call started. */
  declare readonly operation?: string;
  /** The number of attempts that the call made. An attempt that failed before sending a request counts too. */
  declare readonly attempts: number;

  constructor(message: string, fields?: object, cause?: unknown, evidence?: Partial<Evidence>) {
    super(message, cause === undefined ? undefined : { cause });
    Object.assign(this, fields);
    // Copy each field by name: if `evidence` is another error, these fields are not enumerable.
    for (const name of ['body', 'headers', 'url', 'contentType'] as const)
      if (evidence) Object.defineProperty(this, name, { value: evidence[name] });
  }

  /** Returns every field except the stack, the cause and the {@link Evidence}. The result is safe to log and send. */
  toJSON(): Record<string, unknown> {
    const { name, code, message, attempts } = this;
    return { name, code, message, attempts, ...(this as object) };
  }
}

/**
 * The fields of an {@link ApiError}, except its message.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export interface ApiErrorFields<Code extends string = Open<ErrorCode>> {
  /** The HTTP status, or 0 for a redirect in a browser, because browsers hide the status of a redirect. */
  status: number;
  /**
   * The service's error code. If the response is not from the service (for example, a gateway's error page), the code
   * is `HTTP_<status>`.
   */
  code: Code;
  /** The response's `Service-Request-Id`, for support. The service document does not show this header. */
  requestId: string | null;
  /**
   * The wait that the response requires, in milliseconds after the response arrived. If another call's 429 made this
   * call wait, the value is from that 429.
   */
  retryAfterMs: number | null;
}

/**
 * The service returned a status that is not 2xx. `message` is the service's message. If the response is not from the
 * service, `message` describes the response: `502: text/html, Bad Gateway`.
 *
 * The error has the {@link Evidence}: `body`, `headers`, `url` and `contentType`.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class ApiError<Code extends string = Open<ErrorCode>>
  extends ServiceError
  implements ApiErrorFields<Code>, Partial<Evidence>
{
  declare readonly status: number;
  declare readonly code: Code;
  declare readonly requestId: string | null;
  declare readonly retryAfterMs: number | null;
  declare readonly body?: string;
  declare readonly headers?: ResponseHeaders;
  declare readonly url?: string;
  declare readonly contentType?: string;

  constructor(message: string, fields: ApiErrorFields<Code>, evidence?: Partial<Evidence>) {
    super(message, fields, undefined, evidence);
  }
}

/**
 * No response arrived, or the response's body was cut off. `cause` has the runtime's message and code, without the
 * credential.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class NetworkError extends ServiceError {
  declare readonly code: 'NETWORK';
  /**
   * True if the request certainly never reached the service: the host name was not resolved, or the connection attempt
   * was refused or timed out.
   */
  declare readonly neverArrived: boolean;
}

/**
 * A time limit of this client was exceeded: `timeoutMs` for one attempt, or `deadlineMs` for the whole call. If a
 * response requires a wait that would reach `deadlineMs`, the call throws that response's {@link ApiError} instead.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class TimeoutError extends ServiceError {
  declare readonly code: 'TIMEOUT';
  declare readonly limit: 'timeoutMs' | 'deadlineMs';
}

/**
 * The caller's signal was aborted, or the client was closed. If the signal was aborted, `cause` is the signal's reason.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class AbortedError extends ServiceError {
  declare readonly code: 'ABORTED';
}

/**
 * The status is 2xx, but the body is not JSON, has an unexpected shape, fails validation, or contains a page URL that
 * was seen before or has another origin. The request may have taken effect.
 *
 * The error has the {@link Evidence}: `body`, `headers`, `url` and `contentType`.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class ResponseError extends ServiceError implements Partial<Evidence> {
  declare readonly code: 'RESPONSE';
  declare readonly status: number;
  /** The response's `Service-Request-Id`, for support. The service document does not show this header. */
  declare readonly requestId: string | null;
  /** The first problems that validation found, at most 3. */
  declare readonly issues?: readonly unknown[];
  declare readonly body?: string;
  declare readonly headers?: ResponseHeaders;
  declare readonly url?: string;
  declare readonly contentType?: string;

  constructor(
    message: string,
    { status, requestId, attempts }: { status: number; requestId: string | null; attempts: number },
    more?: object,
    evidence?: Partial<Evidence>,
  ) {
    super(message, { status, requestId, attempts, ...more }, undefined, evidence);
  }
}

/**
 * The call is invalid and was not sent. For example, the call has a malformed id, a URL of another origin, an option
 * out of bounds, or a header or a body that cannot be sent. Code that you pass in can also cause this error: a
 * middleware that reads the body, or a `fetch` that returns no `Response`.
 *
 * {@includeCode ../test/documented/errors.ts#kinds}
 */
export class UsageError extends ServiceError {
  declare readonly code: 'USAGE';
}

// Set the class names here: consoles print these names, but minifiers change them.
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
 * Whether `error` is from this package, even if another copy of the package threw it.
 *
 * {@includeCode ../test/documented/errors.ts#log}
 */
export function isServiceError(error: unknown): error is ServiceError {
  return brandOf(error) !== undefined;
}

/**
 * Whether `error` is an {@link ApiError}. If you pass `code`, the error must also have this code. `code` is a code that
 * this version of the package knows, or `HTTP_<status>`. To check for another code, leave `code` out and compare
 * `error.code`.
 *
 * Unlike `instanceof`, this function recognizes the errors of every copy of this package in the process.
 *
 * {@includeCode ../test/documented/errors.ts#code}
 */
export function isApiError<const Code extends ErrorCode | `HTTP_${number}`>(
  error: unknown,
  code: Code,
): error is ApiError<Code>;
export function isApiError(error: unknown): error is ApiError;
export function isApiError(error: unknown, code?: string): error is ApiError {
  return brandOf(error) === 'ApiError' && (code === undefined || (error as ApiError).code === code);
}

function brandOf(value: unknown): unknown {
  return (value as { [BRAND]?: unknown } | null | undefined)?.[BRAND];
}
