import { Webhook } from 'standardwebhooks';
import type { Signer } from './signer.ts';

/** This build hashes text: bytes are decoded before, and a body that is not UTF-8 is refused without being authenticated. */
export const hashesTextOnly: boolean = true;

/**
 * Makes the signer of one secret, for runtimes without `node:crypto`. It is synchronous everywhere.
 * Only `sign` of standardwebhooks is used, with the key as raw bytes: its own decoding of secrets does not know base64url.
 */
export function createSigner(secret: Uint8Array): Signer {
  const webhook = new Webhook(secret, { format: 'raw' });
  return (id, timestamp, body) => {
    // It only reads the milliseconds of the date and divides them again. A real Date ends in the year 275760, before timestamps
    // of 14 digits do. With 15 digits the product is rounded, by less than the half second that keeps the quotient right.
    const date = { getTime: () => timestamp * 1000 + 500 } as Date;
    return webhook.sign(id, date, body as string).slice('v1,'.length);
  };
}

export type { Signer } from './signer.ts';
