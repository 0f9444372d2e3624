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
  if (isApiError(error)) return `refused with ${error.code} (request ${error.requestId})`;
  if (error instanceof NetworkError) return error.neverArrived ? 'not sent' : 'no whole answer';
  if (error instanceof TimeoutError) return `no answer within ${error.limit}, ${error.attempts} attempts`;
  if (error instanceof AbortedError) return 'given up by the caller';
  if (error instanceof ResponseError) return `an answer that is none of the service's (${error.status})`;
  if (error instanceof UsageError) return `not sent: ${error.message}`;
  throw error;
}
// #endregion kinds

// #region log
export function log(error: unknown): void {
  // Every field, and never the credential.
  if (isServiceError(error)) console.error(JSON.stringify(error));
}
// #endregion log

// #region codes
const passing: ReadonlySet<string> = new Set<ErrorCode>(['RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE']);

export const mayPass = (error: unknown): boolean => isApiError(error) && passing.has(error.code);
// #endregion codes
