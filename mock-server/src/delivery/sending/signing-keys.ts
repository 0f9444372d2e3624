import { createSecretKey, type KeyObject } from 'node:crypto';
import { revealSecret, type StoredSecret, signingKeyOf } from '../../domain/derive-secret.ts';
import type { MasterKey } from '../../domain/master-key.ts';
import { RecentMap } from '../../runtime/recent-map.ts';

/** The maximum number of keys in memory. That many keys take about 30 MB. */
const KEPT_MAX = 100_000;

/**
 * Returns the signing keys of secrets. Keeps keys in memory, because deriving a key takes far longer than signing. Uses
 * key objects, because an HMAC takes six times as long with raw bytes as with a key object.
 */
export function createSigningKeys(masterKey: MasterKey): (secrets: readonly StoredSecret[]) => KeyObject[] {
  const kept = new RecentMap<KeyObject>(KEPT_MAX);
  return (secrets) =>
    secrets.map((secret) => {
      const known = kept.get(secret.hash);
      if (known) return known;
      const key = createSecretKey(signingKeyOf(revealSecret(masterKey, secret)));
      kept.set(secret.hash, key);
      return key;
    });
}
