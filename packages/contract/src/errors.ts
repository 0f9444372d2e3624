import type { Open } from './open.ts';

/**
 * Every error code with its status. The service document ("Errors") shows only the code `VALIDATION` with the status
 * 400, and the status 403 without a code. This project defines the rest.
 */
export const ERROR_STATUSES = {
  VALIDATION: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

/**
 * An error code of the service. The service document does not show any code except `VALIDATION`. This project defines
 * the other codes, so another implementation may send different codes.
 *
 * {@includeCode ../../client/test/documented/errors.ts#codes}
 */
export type ErrorCode = keyof typeof ERROR_STATUSES;

/** The body of every response that is not 2xx. */
export interface ErrorBody {
  /** What went wrong. */
  error: {
    /** A stable code for programs to compare. The service may add codes. */
    code: Open<ErrorCode>;
    /** A message for people. The wording may change. */
    message: string;
  };
}
