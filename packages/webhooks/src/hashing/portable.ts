import { Webhook } from 'standardwebhooks';
import type { Signer } from './signer.ts';

export type { Signer } from './signer.ts';

/** This build hashes text. It decodes bytes first, so it rejects a body that is not UTF-8 before it checks the signature. */
export const hashesTextOnly: boolean = true;

/**
 * Creates the signer of one secret for runtimes without `node:crypto`. It is synchronous everywhere.
 * It uses only `sign` of standardwebhooks, and passes the key as bytes, because standardwebhooks cannot decode base64url.
 */
export function createSigner(secret: Uint8Array): Signer {
  // standardwebhooks needs it. Jest's jsdom is a browser without one, but it runs in Node.
  globalThis.TextEncoder ??= process.getBuiltinModule('node:util').TextEncoder;
  const webhook = new Webhook(secret, { format: 'raw' });
  return (id, timestamp, body) => {
    // `sign` reads the milliseconds of the date and divides them by 1000. A real Date ends in the year 275760, before
    // timestamps of 14 digits do. With 15 digits the product is rounded. The added half second keeps the quotient right.
    const date = { getTime: () => timestamp * 1000 + 500 } as Date;
    return webhook.sign(id, date, body as string).slice('v1,'.length);
  };
}
