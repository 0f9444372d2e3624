import { parseSecret } from '#index';
import { suspectBodies, suspectKeys } from './suspicions.ts';

/** A message whose signature does not match, and the receiver's secrets. */
export interface Mismatch {
  id: string;
  timestamp: string;
  /** The whole `webhook-signature` header. */
  signatures: string;
  body: Uint8Array;
  secrets: readonly string[];
}

/**
 * Looks for the reason why no signature matches: a change to the body, or a mistake in deriving the key from the
 * secret. Returns a description of the reason, or `undefined` if no reason is found.
 */
export function explainMismatch(mismatch: Mismatch): string | undefined {
  // Load node:crypto only when this function runs, because loading node:crypto takes longer than loading this package.
  const { createHmac } = process.getBuiltinModule('node:crypto');
  const { id, timestamp, signatures, body, secrets } = mismatch;
  const given = signatures.split(' ').map((entry) => entry.replace(/^v1,/, ''));
  const matches = (key: Uint8Array, candidate: Uint8Array) =>
    given.includes(createHmac('sha256', key).update(`${id}.${timestamp}.`).update(candidate).digest('base64'));
  const keys = secrets.flatMap((secret) => [{ says: '', value: parseSecret(secret) }, ...suspectKeys(secret)]);
  const findKey = (candidate: Uint8Array) => keys.find(({ value }) => matches(value, candidate));
  const asItCame = findKey(body);
  if (asItCame) return asItCame.says;
  for (const { says, value } of suspectBodies(body)) {
    const key = findKey(value);
    if (key) return [says, key.says].filter(Boolean).join('; and ');
  }
  return undefined;
}
