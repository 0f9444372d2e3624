import { createHmac, timingSafeEqual } from 'node:crypto';

/** The subject of a session: a user, a workspace's API key, or an admin with the admin token. */
export type SessionSubject = { userId: string } | { workspaceId: string } | { admin: true };

export interface Session {
  subject: SessionSubject;
  /** The base of the URLs in responses, without a trailing slash. */
  baseUrl: string;
  /** When the session expires, on the real clock, in milliseconds. */
  expiresAt: number;
}

export const SESSION_PREFIX = 'svc_ses_';

/** How long the session of a user or an API key lasts, on the real clock. */
export const SESSION_MS = 15 * 60_000;

const MAC_BYTES = 32;

export function writeSession(key: Uint8Array, session: Session): string {
  const content = Buffer.from(JSON.stringify(session));
  return SESSION_PREFIX + Buffer.concat([macOf(key, content), content]).toString('base64url');
}

/** Returns `undefined` if the session has expired, or if the text was not signed with this key. */
export function readSession(key: Uint8Array, text: string, now: number): Session | undefined {
  if (!text.startsWith(SESSION_PREFIX)) return undefined;
  const bytes = Buffer.from(text.slice(SESSION_PREFIX.length), 'base64url');
  // Several base64url strings can decode to the same bytes. Accept only the string that `writeSession` returns.
  if (SESSION_PREFIX + bytes.toString('base64url') !== text) return undefined;
  const [mac, content] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
  if (content.length === 0 || !timingSafeEqual(mac, macOf(key, content))) return undefined;
  const session = JSON.parse(content.toString()) as Session;
  return session.expiresAt > now ? session : undefined;
}

const macOf = (key: Uint8Array, content: Uint8Array) => createHmac('sha256', key).update(content).digest();
