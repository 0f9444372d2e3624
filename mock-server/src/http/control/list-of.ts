import type { ListQuery } from '@svc/contract';
import type { ListRequest } from '../list.ts';
import type { Services } from '../services.ts';

/** A list of the control API. Its path names the workspace that it belongs to, if any. */
export function listOf(
  services: Services,
  path: string,
  filters: Record<string, string>,
  query: ListQuery,
): ListRequest {
  return { services, path, scope: { workspaceId: '' }, filters, query };
}
