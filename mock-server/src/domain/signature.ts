import { createHmac, type KeyObject } from 'node:crypto';
import { WEBHOOK_HEADERS } from '@svc/contract';

export interface SignedContent {
  /** All attempts of a delivery have the same `webhook-id`. */
  id: string;
  /** Unix seconds of the real clock, because receivers compare the time with their own clocks. */
  timestamp: number;
  body: string;
}

/**
 * Returns the Standard Webhooks headers (service document, "Signature"), with a `v1` signature for each key.
 *
 * @param keys - Decoded signing keys, newest first.
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
