import { RATE_LIMIT_REQUESTS } from '@svc/contract';
import { credentialKindOf, hashCredential } from '../domain/credential.ts';
import type { Session } from '../domain/session.ts';
import { DEMO_CREDENTIALS } from '../storage/seed/demo.ts';
import { findCredential } from '../storage/statements/credentials.ts';
import { unauthenticated } from './errors.ts';
import { bearerOf } from './incoming.ts';
import type { Services } from './services.ts';

/** The caller of the API: a credential, with its workspace or user. */
export type Caller = { credentialId: string; test: boolean; createdAt: number } & (
  | { kind: 'api_key'; workspaceId: string }
  | { kind: 'personal_access_token'; userId: string }
);

/** Identifies the caller. @throws 401 `UNAUTHENTICATED` if the credential is missing, malformed, unknown or revoked. */
export async function authenticate(
  services: Services,
  authorization: string | undefined,
  session: Session | undefined,
): Promise<Caller> {
  const acting = session && callerOf(session);
  if (acting) return acting;
  const text = bearerOf(authorization);
  if (text === undefined) throw unauthenticated('Send the credential as "Authorization: Bearer <credential>".');
  if (!credentialKindOf(text))
    throw unauthenticated('The credential is malformed: it must begin with svc_sk_ or svc_pat_.');
  // Reject the demo credentials: another node that listens on loopback may have created the demo tenants in the same
  // database.
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

/** An admin session works only with the control API, so it has no caller. */
function callerOf({ subject, expiresAt }: Session): Caller | undefined {
  const base = { credentialId: 'dashboard', test: true, createdAt: expiresAt };
  if ('workspaceId' in subject) return { ...base, kind: 'api_key', workspaceId: subject.workspaceId };
  if ('userId' in subject) return { ...base, kind: 'personal_access_token', userId: subject.userId };
  return undefined;
}

export const rateLimitOf = (caller: Caller): number => RATE_LIMIT_REQUESTS[caller.kind];
