import { headerError } from './error.ts';

/**
 * Checks `webhook-id`: it must have 1 to 256 code points, and no dots, control characters or lone surrogates. In the
 * signed string, a dot separates the id from the timestamp. So an id with a dot would be ambiguous.
 */
export function checkMessageId(id: string): void {
  if (!/^[^.\p{Cc}\p{Cs}]{1,256}$/u.test(id)) {
    throw headerError('malformed_id', 'webhook-id');
  }
}
