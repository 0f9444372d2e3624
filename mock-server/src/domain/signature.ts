import { createHmac, type KeyObject } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@svc/contract';

/** What one POST is signed from. */
export interface SignedContent {
  /** The delivery's id; retries keep it. */
  id: string;
  /** Unix seconds on the real clock, because receivers check it against theirs. */
  timestamp: number;
  /** The raw body. */
  body: string;
}

/**
 * Makes the three Standard Webhooks headers (service document, "Signature"): one `v1` entry per key, in their order.
 *
 * @param keys - Decoded signing keys, the newest first.
 */
export function signatureHeaders(
  content: SignedContent,
  keys: readonly (KeyObject | Uint8Array)[],
): Record<string, string> {
  const text = `${content.id}.${content.timestamp}.${content.body}`;
  return {
    [WEBHOOK_HEADERS.id]: content.id,
    [WEBHOOK_HEADERS.timestamp]: String(content.timestamp),
    [WEBHOOK_HEADERS.signature]: keys
      .map((key) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`)
      .join(' '),
  };
}
