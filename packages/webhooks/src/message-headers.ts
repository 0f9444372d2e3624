import { headerError } from './error.ts';
import type { HeaderValues } from './headers.ts';

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Returns the three headers that every message must have. */
export function readMessageHeaders(headers: HeaderValues): [id: string, timestamp: string, signatures: string] {
  return NAMES.map((name, at) => {
    const value = headers[name];
    if (!value) throw headerError('missing_header', name);
    // Frameworks join the values of a repeated header with a comma. Of the three headers, only the signature header may
    // contain a comma in a single value.
    if (at < 2 && value.includes(',')) throw headerError('duplicate_header', name);
    return value;
  }) as [string, string, string];
}
