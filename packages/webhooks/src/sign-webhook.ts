import { createSigner, hashesTextOnly } from '#hashing';
import { parseSecret, WebhookError } from '#index';
import { completePlatform } from './complete-platform.ts';
import { checkNames } from './option-checks.ts';
import { randomId } from './random-id.ts';
import { type SampleEvent, sampleEvent } from './sample-event.ts';
import type { Secrets } from './signers.ts';

/** Options for {@link signWebhook}. */
export interface SignWebhookOptions {
  /**
   * The endpoint's secret. If you pass several secrets, the message has a signature for each secret, as during a
   * rotation.
   */
  secrets: Secrets;
  /** The event, or a type in the catalog. The default is `webhook.ping`. */
  event?: SampleEvent | undefined;
  /** The raw body to sign instead of an event. */
  body?: string | Uint8Array | undefined;
  /** The value of `webhook-id`. The default is a new id. */
  id?: string | undefined;
  /** The value of `webhook-timestamp`, in seconds since the epoch. The default is the current time. */
  timestamp?: number | undefined;
}

/** A message in the form that the service sends. */
export interface SignedWebhook<Body extends string | Uint8Array = string | Uint8Array> {
  id: string;
  timestamp: number;
  body: Body;
  headers: {
    'content-type': 'application/json';
    'webhook-id': string;
    'webhook-timestamp': string;
    'webhook-signature': string;
  };
}

const UTF8 = { fatal: true, ignoreBOM: true };

/**
 * Signs an event or a body as the service does. Throws `WebhookError` if a secret is invalid, and `TypeError` for an
 * option that does not exist. A field `headers` is ignored, so that you can spread a signed message:
 * `{ ...signed, secrets }`. In runtimes without `node:crypto`, this function hashes only text, so it also throws if a
 * body is not UTF-8.
 *
 * {@includeCode ../test/documented/sign-webhook.ts#sign}
 */
export function signWebhook<Body extends string | Uint8Array = string>(
  options: SignWebhookOptions & { body?: Body | undefined },
): SignedWebhook<Body> {
  // `headers` is allowed so that you can spread a message to sign it again: `{ ...signed, secrets }`.
  checkNames(options, ['secrets', 'event', 'body', 'id', 'timestamp', 'headers']);
  const { event = 'webhook.ping', id = `whd_${randomId()}` } = options;
  completePlatform();
  const timestamp = options.timestamp ?? Math.floor(Date.now() / 1000);
  const body = options.body ?? JSON.stringify(typeof event === 'string' ? sampleEvent(event) : event);
  const hashed = hashesTextOnly && typeof body !== 'string' ? decode(body) : body;
  const signatures = [options.secrets].flat().map((secret) => {
    const sign = createSigner(parseSecret(secret));
    return `v1,${sign(id, timestamp, hashed)}`;
  });
  return {
    id,
    timestamp,
    body: body as Body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatures.join(' '),
    },
  };
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', UTF8).decode(body);
  } catch (cause) {
    throw new WebhookError('body_not_utf8', 400, 'This build can sign only text. Sign this body on Node.', { cause });
  }
}
