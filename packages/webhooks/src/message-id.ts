import { headerError } from './error.ts';

/** Checks `webhook-id`: 1 to 256 code points without a dot. With a dot, the end of the id could pass as part of the timestamp. */
export function checkMessageId(id: string): void {
  if (!/^[^.\p{Cc}\p{Cs}]{1,256}$/u.test(id)) {
    throw headerError('malformed_id', 'webhook-id');
  }
}
