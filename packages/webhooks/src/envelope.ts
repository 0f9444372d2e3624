import { WebhookError, type WebhookErrorCode } from './error.ts';
import type { Event } from './events.ts';

/** Parses the event envelope of an authentic body (service document, "Event"). Keeps unknown fields. */
export function parseEnvelope(text: string): Event {
  let event: Partial<Event>;
  try {
    event = JSON.parse(text);
  } catch (cause) {
    throw unusable('body_invalid_json', cause);
  }
  const subject = event?.subject;
  if (subject === null) delete event['subject'];
  if (hasTexts(event, 'created') && (subject == null || hasTexts(subject, 'url'))) {
    return event as Event;
  }
  throw unusable('envelope_invalid');
}

const unusable = (code: WebhookErrorCode, cause?: unknown): WebhookError =>
  new WebhookError(code, 400, 'Report the webhook-id to the service.', {
    authenticated: true,
    cause,
  });

/** Rejects a key `__proto__`. It is harmless here, but not after the object is merged into another. */
function hasTexts(value: object | null, third: string): boolean {
  if (value === null || Object.hasOwn(value, '__proto__')) return false;
  const { id, type, [third]: last } = value as Record<string, unknown>;
  return typeof id === 'string' && typeof type === 'string' && typeof last === 'string';
}
