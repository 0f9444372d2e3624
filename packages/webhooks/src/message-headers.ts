import { WebhookError } from './error.ts';
import { duplicateHeader, readHeaders, type WebhookHeaders } from './headers.ts';

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Reads the three headers that every message has (service document, "Delivery format"). */
export function readMessageHeaders(headers: WebhookHeaders): [id: string, timestamp: string, signatures: string] {
  const found = readHeaders(headers, NAMES) as [string, string, string];
  NAMES.forEach((name, at) => {
    if (!found[at]) throw new WebhookError('missing_header', 400, `no ${name}; does a proxy drop it?`);
    // Frameworks join the values of a header that came twice with a comma. Only signatures have one of their own.
    if (at < 2 && found[at].includes(',')) throw duplicateHeader(name);
  });
  return found;
}
