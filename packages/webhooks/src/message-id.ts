import { WebhookError } from './error.ts';

/** Checks `webhook-id`: 1 to 256 code points. With a dot, the end of the id could be moved into the timestamp under one signature. */
export function checkMessageId(id: string): void {
  if (!/^[^.\p{Cc}\p{Cs}]{1,256}$/u.test(id)) {
    throw new WebhookError('malformed_id', 400, 'does a proxy change it?');
  }
}
