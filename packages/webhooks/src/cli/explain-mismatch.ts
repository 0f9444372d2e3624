import { parseSecret } from '#index';
import { type Suspicion, suspectBodies, suspectKeys } from './suspicions.ts';

/** The parts of a message whose signature does not match. */
export interface Mismatch {
  id: string;
  timestamp: string;
  /** The whole `webhook-signature` header. */
  signatures: string;
  body: Uint8Array;
  secrets: readonly string[];
}

/**
 * Looks for a change to the body or the key that explains why no signature matches. Returns a description of the
 * change, or `undefined` if it finds no such change.
 */
export function explainMismatch(mismatch: Mismatch): string | undefined {
  // Load node:crypto only here, because loading it takes longer than loading this package.
  const { createHmac } = process.getBuiltinModule('node:crypto');
  const { id, timestamp, signatures, body, secrets } = mismatch;
  const given = signatures.split(' ').map((entry) => entry.replace(/^v1,/, ''));
  const matches = (key: Uint8Array, candidate: Uint8Array) =>
    given.includes(createHmac('sha256', key).update(`${id}.${timestamp}.`).update(candidate).digest('base64'));
  const asItCame: Suspicion<Uint8Array> = { says: '', value: body };
  const candidates = [asItCame, ...suspectBodies(body)];
  for (const secret of secrets) {
    const keys = [{ says: '', value: parseSecret(secret) }, ...suspectKeys(secret)];
    for (const key of keys) {
      for (const candidate of candidates) {
        if (matches(key.value, candidate.value)) return [candidate.says, key.says].filter(Boolean).join('; and ');
      }
    }
  }
  return undefined;
}
