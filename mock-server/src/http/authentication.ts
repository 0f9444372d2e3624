import { API_HEADERS, type Operation, type WorkspacePermission } from '@svc/contract';
import type { Context, MiddlewareHandler } from 'hono';
import { credentialKindOf, hashCredential } from '../domain/credential.ts';
import { SESSION_MS, SESSION_PREFIX, type Session } from '../domain/dashboard-session.ts';
import { API_KEY_PERMISSIONS, workspacePermissions } from '../domain/permissions.ts';
import { DEMO_CREDENTIALS } from '../storage/seed/demo.ts';
import { findCredential } from '../storage/statements/credentials.ts';
import { findMembership } from '../storage/statements/organizations.ts';
import { forbidden, unauthenticated, validation, workspaceForbidden } from './errors.ts';
import { bearerOf } from './incoming.ts';
import type { Services } from './services.ts';

/**
 * Recognizes requests from the dashboard. Such a request skips several steps, so that using the dashboard does not change
 * what the dashboard shows. For example, the request is not recorded, and gets no injected fault.
 */
export function readSessions(services: Pick<Services, 'sessions' | 'limits'>): MiddlewareHandler {
  return async (c, next) => {
    await identifySession(services, c);
    await next();
  };
}

export async function identifySession({ sessions, limits }: Pick<Services, 'sessions' | 'limits'>, c: Context) {
  const text = bearerOf(c.req.header('Authorization'));
  if (text?.startsWith(SESSION_PREFIX)) c.set('session', await limits.credentials.take(c, () => sessions.read(text)));
  return c.get('session');
}

export type Caller = { credentialId: string; test: boolean; createdAt: number } & (
  | { kind: 'api_key'; workspaceId: string }
  | { kind: 'personal_access_token'; userId: string }
);

/** @throws 401 `UNAUTHENTICATED` if the credential is missing, malformed, unknown or revoked. */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
  session: Session | undefined,
): Promise<Caller> {
  const acting = session && callerOf(session);
  if (acting) return acting;
  const text = bearerOf(authorization);
  if (text === undefined) throw unauthenticated('Send the credential as "Authorization: Bearer <credential>".');
  if (text.startsWith(SESSION_PREFIX))
    throw unauthenticated('The dashboard session has expired, or is only valid for the control API.');
  if (!credentialKindOf(text))
    throw unauthenticated('The credential is malformed: it must begin with svc_sk_ or svc_pat_.');
  // The database may contain the demo credentials: another node that listens on loopback may have stored them.
  if (!services.demoCredentials && DEMO_CREDENTIALS.includes(text)) {
    throw unauthenticated('The demo credentials do not work on this server, because everyone knows them.');
  }
  const row = await services.storage.read((queries) => findCredential(queries, hashCredential(text)));
  if (!row) throw unauthenticated('The credential is unknown or revoked.');
  const base = { credentialId: row.id, test: row.test === 1, createdAt: row.created_at };
  return row.kind === 'api_key'
    ? { ...base, kind: 'api_key', workspaceId: String(row.workspace_id) }
    : { ...base, kind: 'personal_access_token', userId: String(row.user_id) };
}

/** Returns `undefined` for an admin session, because such a session works only with the control API. */
function callerOf({ subject, expiresAt }: Session): Caller | undefined {
  const base = { credentialId: 'dashboard', test: true, createdAt: expiresAt - SESSION_MS };
  if ('workspaceId' in subject) return { ...base, kind: 'api_key', workspaceId: subject.workspaceId };
  if ('userId' in subject) return { ...base, kind: 'personal_access_token', userId: subject.userId };
  return undefined;
}

export interface Scope {
  workspaceId: string;
  /** Null if the caller uses an API key. */
  role: string | null;
  permissions: readonly WorkspacePermission[];
}

/**
 * Checks the caller's rights (service document, "Authentication", rules 1 to 5), and returns the workspace. Returns
 * `undefined` if neither the operation nor the request names a workspace.
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
    throw forbidden('This operation needs a personal access token: an API key is bound to one workspace.');
  }
  const named = inPath ?? inHeader;
  const scope =
    caller.kind === 'api_key'
      ? scopeOfKey(caller.workspaceId, named)
      : await scopeOfToken(services, caller.userId, named);
  if (!scope && operation.scope !== 'none')
    throw validation(`Send the id of the workspace in the header ${API_HEADERS.workspaceId}.`);
  if (scope && operation.permission && !scope.permissions.includes(operation.permission)) {
    throw forbidden(`The role ${scope.role} lacks the permission ${operation.permission}.`);
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
