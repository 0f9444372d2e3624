import {
  AbortedError,
  type ApiKeyClient,
  type ErrorCode,
  isApiError,
  isServiceError,
  NetworkError,
  ResponseError,
  TimeoutError,
  UsageError,
  type Workspace,
  type WorkspaceId,
} from '@svc/client';

// #region code
export async function findWorkspace(svc: ApiKeyClient, id: WorkspaceId): Promise<Workspace | undefined> {
  try {
    return await svc.workspaces.retrieve(id);
  } catch (error) {
    if (isApiError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}
// #endregion code

// #region kinds
export function explain(error: unknown): string {
  if (isApiError(error)) return `the service returned ${error.code} (request ${error.requestId})`;
  if (error instanceof NetworkError) return error.neverArrived ? 'never reached the service' : 'no complete response';
  if (error instanceof TimeoutError) return `timed out (${error.limit}) after ${error.attempts} attempts`;
  if (error instanceof AbortedError) return 'aborted by the caller';
  if (error instanceof ResponseError) return `unexpected response (${error.status})`;
  if (error instanceof UsageError) return `not sent: ${error.message}`;
  throw error;
}
// #endregion kinds

// #region log
export function log(error: unknown): void {
  // Logs every field. Errors never contain the credential.
  if (isServiceError(error)) console.error(JSON.stringify(error));
}
// #endregion log

// #region evidence
export function report(error: unknown): void {
  if (!isApiError(error)) throw error;
  // The gateway's response. Logs contain these properties only if you name them.
  console.error(error.message, error.url, error.contentType, error.headers?.get('via'), error.body);
}
// #endregion evidence

// #region codes
/** Errors that may go away if you try again later. */
const temporary: ReadonlySet<string> = new Set<ErrorCode>(['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE']);

export const mayPass = (error: unknown): boolean => isApiError(error) && temporary.has(error.code);
// #endregion codes
