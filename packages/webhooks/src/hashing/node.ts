import type { Signer } from './signer.ts';

export type { Signer } from './signer.ts';

/** This build hashes bytes, whatever they are. */
export const hashesTextOnly: boolean = false;

/** Makes the signer of one secret. The key object is made once: handing the raw bytes to every HMAC costs several times as much. */
export function createSigner(secret: Uint8Array): Signer {
  // Not imported: loading node:crypto takes longer than all the rest, and a process that never verifies need not wait for it.
  const { createHmac, createSecretKey } = process.getBuiltinModule('node:crypto');
  const key = createSecretKey(secret);
  return (id, timestamp, body) => createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}
