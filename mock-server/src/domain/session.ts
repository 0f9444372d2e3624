import { createHmac, timingSafeEqual } from 'node:crypto';

/** Whom the dashboard's page acts as: a user, a workspace's API key, or whoever knows the admin token. */
export type SessionSubject = { userId: string } | { workspaceId: string } | { admin: true };

/** What a session's credential says. The server stores nothing about it. */
export interface Session {
  subject: SessionSubject;
  /** Base of the URLs in the responses to it, without a slash at the end. */
  baseUrl: string;
  /** On the real clock, in milliseconds. */
  expiresAt: number;
}

/** What the credential of a session begins with. */
export const SESSION_PREFIX = 'svc_ses_';

const MAC_BYTES = 32;

/** Writes a session's credential: its content, signed. */
export function writeSession(key: Uint8Array, session: Session): string {
  const content = Buffer.from(JSON.stringify(session));
  return SESSION_PREFIX + Buffer.concat([macOf(key, content), content]).toString('base64url');
}

/** Reads a session's credential; `undefined` if it has expired, was changed, or was signed with another key. */
export function readSession(key: Uint8Array, text: string, now: number): Session | undefined {
  if (!text.startsWith(SESSION_PREFIX)) return undefined;
  const bytes = Buffer.from(text.slice(SESSION_PREFIX.length), 'base64url');
  const [mac, content] = [bytes.subarray(0, MAC_BYTES), bytes.subarray(MAC_BYTES)];
  if (content.length === 0 || !timingSafeEqual(mac, macOf(key, content))) return undefined;
  const session = JSON.parse(content.toString()) as Session;
  return session.expiresAt > now ? session : undefined;
}

const macOf = (key: Uint8Array, content: Uint8Array) => createHmac('sha256', key).update(content).digest();
