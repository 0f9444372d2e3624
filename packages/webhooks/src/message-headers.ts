import { headerError } from './error.ts';
import { readHeaders, type WebhookHeaders } from './headers.ts';

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Reads the three headers of a message (service document, "Delivery format"). */
export function readMessageHeaders(headers: WebhookHeaders): [id: string, timestamp: string, signatures: string] {
  const found = readHeaders(headers, NAMES) as [string, string, string];
  NAMES.forEach((name, at) => {
    if (!found[at]) throw headerError('missing_header', name);
    // Frameworks join the values of a repeated header with a comma. Only a signature contains one itself.
    if (at < 2 && found[at].includes(',')) throw headerError('duplicate_header', name);
  });
  return found;
}
