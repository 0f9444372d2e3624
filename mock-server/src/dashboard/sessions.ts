import type { MasterKey } from '../domain/master-key.ts';
import { readSession, type Session, type SessionSubject, writeSession } from '../domain/session.ts';
import type { Storage } from '../storage/port.ts';
import { findSetting } from '../storage/statements/settings.ts';

/** How long a session lasts, on the real clock. Moving the virtual clock does not end it. */
const SESSION_MS = 15 * 60_000;
const ADMIN_SESSION_MS = 8 * 60 * 60_000;

/** The parts of the sessions. */
export interface SessionsOptions {
  storage: Pick<Storage, 'read'>;
  masterKey: MasterKey;
  adminToken: string | undefined;
  now?: () => number;
}

/**
 * The dashboard's sessions. Sessions are stateless, so every node accepts them. Their key depends on the admin token
 * and the latest reset, so a new token or a reset ends them.
 */
export function createSessions({ storage, masterKey, adminToken, now = Date.now }: SessionsOptions) {
  async function currentKey(): Promise<Buffer> {
    const reset = await storage.read((queries) => findSetting(queries, 'reset'));
    return masterKey.derive('dashboard-sessions', JSON.stringify([adminToken ?? null, reset ?? null]), 32);
  }
  return {
    async issue(subject: SessionSubject, baseUrl: string) {
      const expiresAt = now() + lifetimeOf(subject);
      return { credential: writeSession(await currentKey(), { subject, baseUrl, expiresAt }), expiresAt };
    },
    read: async (text: string): Promise<Session | undefined> => readSession(await currentKey(), text, now()),
  };
}

const lifetimeOf = (subject: SessionSubject) => ('admin' in subject ? ADMIN_SESSION_MS : SESSION_MS);
