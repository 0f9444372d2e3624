import type { Signer } from './signer.ts';

export type { Signer } from './signer.ts';

/** This build hashes bytes, even bytes that are not UTF-8. */
export const hashesTextOnly: boolean = false;

/** Creates a signer that signs with one secret. The secret has at most 64 bytes, the block size of SHA-256. */
export function createSigner(secret: Uint8Array): Signer {
  // Loading node:crypto takes longer than loading this package. So load node:crypto when the first signer is created,
  // not when the package is imported.
  const { createHmac, createSecretKey, hash } = process.getBuiltinModule('node:crypto');
  // Node prepares a key object only once, but would prepare raw bytes again for every HMAC.
  const key = createSecretKey(secret);
  // The inputs of the two hashes in RFC 2104. In each input, the padded key comes first, and the message or the inner
  // hash comes second. `inner` has 3 * 8000 bytes for 8000 UTF-16 units, because UTF-8 needs at most three bytes for
  // each unit.
  const inner = Buffer.alloc(64 + 3 * 8000, 0x36);
  const outer = Buffer.alloc(64 + 32, 0x5c);
  secret.forEach((byte, at) => {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  });
  return (id, timestamp, body) => {
    const head = `${id}.${timestamp}.`;
    // Use an HMAC object for long messages, which do not fit into `inner`, and in older versions of Bun and Deno, which
    // have no `hash`.
    if (!hash || head.length + body.length > 8000) {
      return createHmac('sha256', key).update(head).update(body).digest('base64');
    }
    // For short messages, two plain hashes take half the time of an HMAC object.
    let end = 64 + inner.write(head, 64);
    if (typeof body === 'string') end += inner.write(body, end);
    else {
      inner.set(body, end);
      end += body.length;
    }
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), 64, 'binary');
    return hash('sha256', outer, 'base64');
  };
}
