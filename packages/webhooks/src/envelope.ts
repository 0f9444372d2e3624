import { WebhookError } from './error.ts';
import type { Event } from './events.ts';

const SIGNED = "but signed; see the service's delivery log";

/** Reads the event envelope out of a body whose signature held (service document, "Event"). Fields that it does not know stay. */
export function parseEnvelope(text: string): Event {
  let event: Partial<Event>;
  try {
    event = JSON.parse(text);
  } catch (cause) {
    throw new WebhookError('body_invalid_json', 400, SIGNED, { authenticated: true, cause });
  }
  if (hasTexts(event, ['id', 'type', 'created'])) {
    const { subject } = event;
    if (subject === null) delete event['subject'];
    if (subject === null || subject === undefined || hasTexts(subject, ['id', 'type', 'url'])) return event as Event;
  }
  throw new WebhookError('envelope_invalid', 400, `not an event, ${SIGNED}`, {
    authenticated: true,
  });
}

/** An own `__proto__` is harmless here, and no longer so once somebody merges the object into another. */
function hasTexts(value: object | null, names: readonly string[]): value is Record<string, string> {
  return (
    value !== null &&
    !Object.hasOwn(value, '__proto__') &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
  );
}
