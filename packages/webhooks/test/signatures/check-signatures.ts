import { createHmac } from 'node:crypto';
import type { createWebhooks } from '@svc/webhooks';
import type { signWebhook } from '@svc/webhooks/testing';

interface Library {
  createWebhooks: typeof createWebhooks;
  signWebhook: typeof signWebhook;
}

/** The outcome of comparing signatures. */
export interface SignatureReport {
  compared: number;
  /** The messages whose signature differs from that of `createHmac`, or whose altered copy is accepted. */
  wrong: string[];
}

const TIMESTAMP = 1_780_000_000;
const IDS = ['a', 'whd_é😀', 'é'.repeat(256), '😀'.repeat(256)];
const KEY_SIZES = [24, 32, 63, 64];
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** Body sizes around the SHA-256 block size, and around the longest body that the Node build hashes in one call. */
function sizesFor(id: string): number[] {
  const longest = 8000 - 3 * `${id}.${TIMESTAMP}.`.length;
  return [...range(0, 130), ...[longest, 4096, 8192, 65_536].flatMap((size) => range(size - 3, size + 4))];
}

/**
 * Compares signatures with those of the runtime's own HMAC. One receiver verifies them, in an order that mixes sizes.
 */
export function checkSignatures({ createWebhooks, signWebhook }: Library): SignatureReport {
  const report: SignatureReport = { compared: 0, wrong: [] };
  for (const [at, id] of IDS.entries()) {
    const key = crypto.getRandomValues(new Uint8Array(KEY_SIZES[at] ?? 0));
    const secrets = `whsec_${Buffer.from(key).toString('base64')}`;
    const webhooks = createWebhooks({ secrets, now: TIMESTAMP * 1000 });
    for (const size of sizesFor(id)) {
      const text = String.fromCharCode(97 + (size % 26)).repeat(size);
      for (const body of [text, new TextEncoder().encode(text)]) {
        const expected = `v1,${createHmac('sha256', key).update(`${id}.${TIMESTAMP}.`).update(body).digest('base64')}`;
        const { headers } = signWebhook({ secrets, id, timestamp: TIMESTAMP, body });
        // None of these bodies is JSON, so the error body_invalid_json means that the signature is valid.
        const isAuthentic = (candidate: string | Uint8Array) => {
          const result = webhooks.check({ headers: { ...headers, 'webhook-signature': expected }, body: candidate });
          return !result.ok && result.error.authenticated;
        };
        const altered = typeof body === 'string' ? `${body}x` : new TextEncoder().encode(`${text}x`);
        report.compared += 1;
        if (headers['webhook-signature'] !== expected || !isAuthentic(body) || isAuthentic(altered)) {
          report.wrong.push(`${typeof body} of ${size} for an id of ${id.length}`);
        }
      }
    }
  }
  return report;
}
