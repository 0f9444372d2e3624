import { Webhook } from 'standardwebhooks';
import type { Signer } from './signer.ts';

export type { Signer } from './signer.ts';

/**
 * This build hashes only text. Bytes are decoded first, so this build rejects a body that is not UTF-8 before it checks
 * the signature.
 */
export const hashesTextOnly: boolean = true;

/**
 * Creates a signer that signs with one secret, for runtimes without `node:crypto`. The signer is synchronous in every
 * runtime. This function uses only the method `sign` of standardwebhooks. The key is passed as bytes, because
 * standardwebhooks cannot decode base64url.
 */
export function createSigner(secret: Uint8Array): Signer {
  // standardwebhooks needs a `TextEncoder`. Jest's jsdom has no `TextEncoder`, but runs in Node, so use Node's
  // `TextEncoder`.
  globalThis.TextEncoder ??= process.getBuiltinModule('node:util').TextEncoder;
  const webhook = new Webhook(secret, { format: 'raw' });
  return (id, timestamp, body) => {
    // `sign` divides the milliseconds of the date by 1000. A `Date` cannot be later than the year 275760, but a
    // timestamp of 14 digits is later, so pass an object with its own `getTime`. If a timestamp has 15 digits,
    // JavaScript rounds its milliseconds. Because of the added 500 ms, the result of the division is still correct.
    const date = { getTime: () => timestamp * 1000 + 500 } as Date;
    return webhook.sign(id, date, body as string).slice('v1,'.length);
  };
}
