import { headerError } from './error.ts';

/** Checks `webhook-id`: 1 to 256 code points, and no dot: it could move the end of the id into the timestamp under one signature. */
export function checkMessageId(id: string): void {
  if (!/^[^.\p{Cc}\p{Cs}]{1,256}$/u.test(id)) {
    throw headerError('malformed_id', 'webhook-id');
  }
}
