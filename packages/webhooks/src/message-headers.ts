import { headerError } from './error.ts';
import { readHeaders, type WebhookHeaders } from './headers.ts';

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Reads the three headers of a message. */
export function readMessageHeaders(headers: WebhookHeaders): [id: string, timestamp: string, signatures: string] {
  const found = readHeaders(headers, NAMES);
  return NAMES.map((name, at) => {
    const value = found[name];
    if (!value) throw headerError('missing_header', name);
    // Frameworks join the values of a repeated header with a comma. Only a signature contains one itself.
    if (at < 2 && value.includes(',')) throw headerError('duplicate_header', name);
    return value;
  }) as [string, string, string];
}
