import { WebhookError } from './error.ts';
import type { Event } from './events.ts';

const SIGNED = "the signature holds; see the service's delivery log";

/** Reads the event envelope out of a body whose signature held (service document, "Event"). Fields that it does not know stay. */
export function parseEnvelope(text: string): Event {
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch (cause) {
    throw new WebhookError('body_invalid_json', 400, SIGNED, { authenticated: true, cause });
  }
  if (isEnvelope(event)) {
    if (event.subject === null) delete event.subject;
    return event as Event;
  }
  throw new WebhookError('envelope_invalid', 400, `no id, type, created or whole subject; ${SIGNED}`, {
    authenticated: true,
  });
}

function isEnvelope(value: unknown): value is { subject?: unknown } {
  if (!hasTexts(value, ['id', 'type', 'created'])) return false;
  return (value['subject'] ?? undefined) === undefined || hasTexts(value['subject'], ['id', 'type', 'url']);
}

/** An own `__proto__` is harmless here, and no longer so once somebody merges the object into another. */
function hasTexts(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Object.hasOwn(value, '__proto__') &&
    names.every((name) => typeof (value as Record<string, unknown>)[name] === 'string')
  );
}
