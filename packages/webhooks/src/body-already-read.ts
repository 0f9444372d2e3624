import { WebhookError } from './error.ts';

/** The error about a request whose body can be read no more, as a stream is read once. */
export function bodyAlreadyRead(): WebhookError {
  return new WebhookError('body_already_read', 500, 'verify first, and use delivery.event instead of reading the body');
}
