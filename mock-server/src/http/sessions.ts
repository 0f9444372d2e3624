import { readSession, SESSION_MS, type SessionSubject, writeSession } from '../domain/dashboard-session.ts';
import type { MasterKey } from '../domain/master-key.ts';
import type { Storage } from '../storage/port.ts';
import { findSetting } from '../storage/statements/settings.ts';

const ADMIN_SESSION_MS = 8 * 60 * 60_000;

/**
 * The server does not store sessions, so every node accepts every session. A new admin token, a reset or a
 * restore changes the signing key, which ends all sessions. Sessions expire by the real time that the nodes share.
 */
export function createSessions(storage: Pick<Storage, 'read'>, key: MasterKey, now: () => number, adminToken?: string) {
  async function currentKey(): Promise<Buffer> {
    const reset = await storage.read((queries) => findSetting(queries, 'reset'));
    return key.derive('dashboard-sessions', JSON.stringify([adminToken ?? null, reset ?? null]), 32);
  }
  return {
    /** The returned `expiresAt` is in real time, not virtual time. */
    async issue(subject: SessionSubject, baseUrl: string) {
      const expiresAt = now() + ('admin' in subject ? ADMIN_SESSION_MS : SESSION_MS);
      return { credential: writeSession(await currentKey(), { subject, baseUrl, expiresAt }), expiresAt };
    },
    read: async (text: string) => readSession(await currentKey(), text, now()),
  };
}
