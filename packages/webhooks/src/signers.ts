import { createSigner } from '#hashing';
import type { Signer } from './hashing/signer.ts';
import { isString } from './option-checks.ts';
import { readSecret } from './secret.ts';

/**
 * One signing secret (`whsec_…`) or several. During a rotation, the current secret comes first, then the previous
 * secret.
 */
export type Secrets = string | readonly string[];

const cache = new Map<string, Signer>();

/**
 * Returns a signer for each secret. There must be at least one secret. For a secret that was used before, the signer
 * comes from a cache.
 */
export function toSigners(secrets: Secrets): Signer[] {
  const list = isString(secrets) ? [secrets] : [secrets].flat();
  list[0] ??= '';
  return list.map((secret, index) => {
    const name = `secrets${list.length > 1 ? `[${index}]` : ''} (perhaps WEBHOOK_SECRET)`;
    let signer = cache.get(secret);
    if (!signer) {
      signer = createSigner(readSecret(secret, name));
      // Limit the cache, because a `secrets` function may return new secrets again and again.
      if (cache.size > 255) cache.clear();
      cache.set(secret, signer);
    }
    return signer;
  });
}
