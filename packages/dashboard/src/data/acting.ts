import { signal } from '@preact/signals';
import { createClient, type WorkspaceScope } from '@svc/client';
import type { SessionCredential } from '@svc/contract/control/types';
import { serverUrl } from '../base.ts';
import { control } from './control.ts';
import { resets } from './live.ts';

const KEY = 'svc-acting-user';

/**
 * The id of the user that the page acts as. `undefined` means that the page acts as an API key, which may do everything
 * in the workspace.
 */
export const actingUserId = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined);

export function actAs(userId: string | undefined): void {
  if (userId === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, userId);
  actingUserId.value = userId;
}

/** The page renews a credential this long before it expires. */
const RENEW_MS = 60_000;

type Subject = { userId: string } | { workspaceId: string };
/** Sessions are stored only in memory. */
const sessions = new Map<string, Promise<SessionCredential>>();

async function credentialFor(subject: Subject): Promise<string> {
  const key = JSON.stringify(subject);
  const known = await sessions.get(key)?.catch(() => undefined);
  if (known && Date.parse(known.expiresAt) - Date.now() > RENEW_MS) return known.credential;
  const issued = control('POST', '/sessions', { body: { ...subject, baseUrl: serverUrl } });
  sessions.set(key, issued);
  issued.catch(() => sessions.delete(key));
  return (await issued).credential;
}

/**
 * Sends a request. After a 401, for example because the server was reset, renews the session and repeats the request
 * once.
 */
async function renewing(subject: Subject, url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (response.status !== 401) return response;
  sessions.delete(JSON.stringify(subject));
  const headers = new Headers(init.headers);
  headers.set('Authorization', `Bearer ${await credentialFor(subject)}`);
  return await fetch(url, { ...init, headers });
}

const clients = new Map<string, WorkspaceScope>();

export function clientOf(workspaceId: string, userId = actingUserId.value): WorkspaceScope {
  const key = JSON.stringify([workspaceId, userId]);
  const known = clients.get(key);
  if (known) return known;
  const made = makeClient(workspaceId, userId);
  clients.set(key, made);
  return made;
}

function makeClient(workspaceId: string, userId: string | undefined): WorkspaceScope {
  const subject: Subject = userId === undefined ? { workspaceId } : { userId };
  const options = {
    baseUrl: serverUrl,
    // The client must not retry, because the page repeats failed requests when the server responds again.
    maxRetries: 0,
    rateLimit: 'off',
    // The credential is safe in a browser: the server created it only for this page, and it expires soon.
    dangerouslyAllowBrowser: true,
    fetch: (url: string, init: object) => renewing(subject, url, init as RequestInit),
  } as const;
  const credential = () => credentialFor(subject);
  return userId === undefined
    ? createClient({ ...options, apiKey: credential })
    : createClient({ ...options, accessToken: credential }).workspace(workspaceId as `wsp_${string}`);
}

resets.subscribe((count) => {
  if (count === 0) return;
  sessions.clear();
  actAs(undefined);
});
