import { API_HEADERS, type Operation, type WorkspacePermission } from '@svc/contract';
import { API_KEY_PERMISSIONS, workspacePermissions } from '../domain/access.ts';
import { findMembership } from '../storage/statements/organizations.ts';
import type { Caller } from './caller.ts';
import { ApiError, validation, workspaceForbidden } from './errors.ts';
import type { Services } from './services.ts';

/** The workspace that a request addresses, and the caller's permissions in the workspace. */
export interface Scope {
  workspaceId: string;
  /** Null for an API key. */
  role: string | null;
  permissions: readonly WorkspacePermission[];
}

/**
 * Finds the workspace that a request addresses, and checks that the caller may perform the operation in it (service
 * document, "Authentication", rules 1 to 5). `undefined` if neither the operation needs nor the request names a
 * workspace.
 */
export async function resolveScope(
  services: Services,
  operation: Operation,
  caller: Caller,
  { inPath, inHeader }: { inPath: string | undefined; inHeader: string | undefined },
): Promise<Scope | undefined> {
  if (inPath !== undefined && inHeader !== undefined && inPath !== inHeader) {
    throw validation(`The path names workspace ${inPath}, but ${API_HEADERS.workspaceId} names ${inHeader}.`);
  }
  if (!operation.credentials.includes(caller.kind)) {
    throw new ApiError(
      'FORBIDDEN',
      'This operation needs a personal access token: an API key is bound to one workspace.',
    );
  }
  const named = inPath ?? inHeader;
  const scope =
    caller.kind === 'api_key'
      ? scopeOfKey(caller.workspaceId, named)
      : await scopeOfToken(services, caller.userId, named);
  if (!scope && operation.scope !== 'none')
    throw validation(`Send the id of the workspace in the header ${API_HEADERS.workspaceId}.`);
  if (scope && operation.permission && !scope.permissions.includes(operation.permission)) {
    throw new ApiError('FORBIDDEN', `The role ${scope.role} lacks the permission ${operation.permission}.`);
  }
  return scope;
}

function scopeOfKey(workspaceId: string, named: string | undefined): Scope {
  if (named !== undefined && named !== workspaceId) throw workspaceForbidden();
  return { workspaceId, role: null, permissions: API_KEY_PERMISSIONS };
}

async function scopeOfToken(services: Services, userId: string, named: string | undefined): Promise<Scope | undefined> {
  if (named === undefined) return undefined;
  const membership = await services.storage.read((queries) => findMembership(queries, userId, named));
  if (!membership) throw workspaceForbidden();
  return { workspaceId: named, role: membership.role, permissions: workspacePermissions(membership.role) };
}
