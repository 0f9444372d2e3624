import { WebhookError, type WebhookErrorCode } from './error.ts';
import type { Event } from './events.ts';
import { isString } from './option-checks.ts';

/**
 * Parses the event envelope of a body whose signature is valid. Unknown fields are kept. The fields of the subject are
 * not checked, because the service document does not show the subject of every event type.
 */
export function parseEnvelope(text: string): Event {
  let event: Partial<Event>;
  try {
    event = JSON.parse(text);
  } catch (cause) {
    throw unusable('body_invalid_json', cause);
  }
  const subject = event?.subject;
  if (subject === null) delete event['subject'];
  if (
    isObject(event) &&
    [event.id, event.type, event.created].every(isString) &&
    (subject == null || isObject(subject))
  ) {
    return event as Event;
  }
  throw unusable('envelope_invalid');
}

const unusable = (code: WebhookErrorCode, cause?: unknown): WebhookError =>
  new WebhookError(code, 400, 'Report the webhook-id to the service.', {
    authenticated: true,
    cause,
  });

/**
 * Whether a value is an object that is safe to merge into another object. The key `__proto__` is not safe, because it
 * could change the other object's prototype. Arrays do not count as objects.
 */
const isObject = (value: unknown): boolean =>
  typeof value === 'object' && !!value && !Array.isArray(value) && !Object.hasOwn(value, '__proto__');
