import { createSigner } from '#hashing';
import type { Signer } from './hashing/signer.ts';
import { parseSecret } from './secret.ts';

/** One signing secret or several, each `whsec_…`. During a rotation: the current one first, then the previous one. */
export type Secrets = string | readonly string[];

const CACHED_SECRETS_MAX = 256;
const cache = new Map<string, Signer>();

/** Makes a signer for each secret, at least one. A secret that was seen before costs a look-up, not a new key. */
export function toSigners(secrets: Secrets): Signer[] {
  const list = typeof secrets === 'string' ? [secrets] : (secrets ?? []);
  return (list.length ? list : ['']).map((secret) => {
    const signer = cache.get(secret) ?? createSigner(parseSecret(`${secret ?? ''}`));
    if (cache.size >= CACHED_SECRETS_MAX) cache.clear();
    cache.set(secret, signer);
    return signer;
  });
}
