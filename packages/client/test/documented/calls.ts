import type { ApiKeyClient, WorkspaceId } from '@svc/client';

// #region call
export async function nameAndRequest(svc: ApiKeyClient, id: WorkspaceId): Promise<string> {
  const { data, requestId, rateLimit } = await svc.workspaces.retrieve(id).withResponse();
  return `${data.name} (request ${requestId}, ${rateLimit?.remaining} left)`;
}
// #endregion call

// #region raw
export async function contentType(svc: ApiKeyClient): Promise<string | null> {
  const response = await svc.me.retrieve().asResponse();
  return response.headers.get('content-type');
}
// #endregion raw

// #region bounds
export async function rename(svc: ApiKeyClient, id: WorkspaceId, name: string, signal: AbortSignal): Promise<void> {
  await svc.workspaces.update(id, { name }, { signal, timeoutMs: 5_000, deadlineMs: 15_000, maxRetries: 4 });
}
// #endregion bounds
