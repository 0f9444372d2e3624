import { WebhookError } from './error.ts';

/** Checks `webhook-id`. With a dot, the end of the id could be moved into the timestamp under one signature. */
export function checkMessageId(id: string): void {
  if (id.length > 256 || /[.\p{Cc}\p{Cs}]/u.test(id)) {
    throw new WebhookError('malformed_id', 400, 'the service sends none such; who sent this?');
  }
}
