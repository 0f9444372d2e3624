import { createSigner } from '#hashing';
import type { Signer } from './hashing/signer.ts';
import { readSecret } from './secret.ts';

/** One signing secret or several, each `whsec_…`. During a rotation: the current one first, then the previous one. */
export type Secrets = string | readonly string[];

const cache = new Map<string, Signer>();

/** Makes a signer for each secret, at least one. A secret that was used before costs a look-up, not a new key. */
export function toSigners(secrets: Secrets): Signer[] {
  const list = [secrets].flat();
  list[0] ??= '';
  return list.map((secret, index) => {
    const name = list.length > 1 ? `secrets[${index}]` : 'the secret';
    const signer = cache.get(secret) ?? createSigner(readSecret(secret, name));
    // Bounded, for receivers whose secrets come from a function.
    if (cache.size > 255) cache.clear();
    cache.set(secret, signer);
    return signer;
  });
}
