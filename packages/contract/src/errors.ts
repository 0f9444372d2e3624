import type { Open } from './open.ts';

/** Every error code and the status that it comes with. `VALIDATION` and 403 are the service document's ("Errors"); the others are this project's. */
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
 * A code that the service answers an error with.
 *
 * {@includeCode ../../client/test/documented/errors.ts#codes}
 */
export type ErrorCode = keyof typeof ERROR_STATUSES;

/** The body of every answer that is not 2xx (service document, "Errors"). */
export interface ErrorBody {
  error: {
    /** Stable; programs decide by it. */
    code: Open<ErrorCode>;
    /** For people; its words may change. */
    message: string;
  };
}
