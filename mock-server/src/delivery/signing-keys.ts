import { createSecretKey, type KeyObject } from 'node:crypto';
import type { MasterKey } from '../domain/master-key.ts';
import { revealSecret, type StoredSecret, signingKeyOf } from '../domain/webhook-secret.ts';

/** Keys kept at a time; beyond that all are derived anew. */
const KEPT_MAX = 10_000;

/**
 * Gives the keys that secrets sign with. Deriving one costs far more than signing, so they are kept; and as key
 * objects, because an HMAC from raw bytes takes six times as long.
 */
export function createSigningKeys(masterKey: MasterKey): (secrets: readonly StoredSecret[]) => KeyObject[] {
  const kept = new Map<string, KeyObject>();
  return (secrets) =>
    secrets.map((secret) => {
      const known = kept.get(secret.hash);
      if (known) return known;
      if (kept.size >= KEPT_MAX) kept.clear();
      const key = createSecretKey(signingKeyOf(revealSecret(masterKey, secret)));
      kept.set(secret.hash, key);
      return key;
    });
}
