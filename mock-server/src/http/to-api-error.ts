import { API_HEADERS } from '@svc/contract';
import { ImportError } from '../domain/profiles/import-error.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import { StorageUnavailableError } from '../storage/port.ts';
import { ApiError, shuttingDown, unavailable, validation } from './errors.ts';

/**
 * Converts an error to an {@link ApiError} for the response. The response for an internal error reveals no details to
 * the caller. The log contains the details, with the request id.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof ImportError) return validation(error.message);
  if (error instanceof ClosingError) return shuttingDown();
  if (error instanceof StorageUnavailableError) {
    const outcome = error.outcome === 'unchanged' ? 'nothing was changed' : 'the change may or may not be stored';
    return unavailable(`The database is unavailable; ${outcome}. Try again.`);
  }
  return new ApiError('INTERNAL', `The server failed. Look for the response's ${API_HEADERS.requestId} in its log.`);
}
