import { headerError } from './error.ts';

/**
 * Checks `webhook-id`: it must have 1 to 256 code points, and no dots, control characters or lone surrogates. If an id
 * could contain a dot, the end of the id could be mistaken for the start of the timestamp.
 */
export function checkMessageId(id: string): void {
  if (!/^[^.\p{Cc}\p{Cs}]{1,256}$/u.test(id)) {
    throw headerError('malformed_id', 'webhook-id');
  }
}
