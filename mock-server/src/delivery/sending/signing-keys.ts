import { createSecretKey, type KeyObject } from 'node:crypto';
import type { MasterKey } from '../../domain/master-key.ts';
import { revealSecret, type StoredSecret, signingKeyOf } from '../../domain/webhook-secret.ts';

/** The most keys to keep. Beyond that, all are derived again. */
const KEPT_MAX = 10_000;

/**
 * Returns the signing keys of secrets. Deriving a key costs far more than signing, so keys are kept. They are key
 * objects, because an HMAC with raw bytes takes six times as long.
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
