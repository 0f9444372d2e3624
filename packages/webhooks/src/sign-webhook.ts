import { hashesTextOnly } from '#hashing';
import { decodeBody } from './body.ts';
import { type SampleEvent, sampleEvent } from './sample-event.ts';
import { type Secrets, toSigners } from './signers.ts';

/** What {@link signWebhook} takes. */
export interface SignWebhookOptions {
  /** The endpoint's secret; several give a signature each, as during a rotation. */
  secrets: Secrets;
  /** The event, or a type of the catalog. A ping unless given. */
  event?: SampleEvent | undefined;
  /** The raw body, instead of an event. */
  body?: string | Uint8Array | undefined;
  /** `webhook-id`. A new one unless given. */
  id?: string | undefined;
  /** `webhook-timestamp`, in seconds. Now unless given. */
  timestamp?: number | undefined;
}

/** A message as the service sends it. */
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

/**
 * Signs an event or a body, as the service does. Throws {@link WebhookError} where a secret is bad.
 *
 * {@includeCode ../test/documented/sign-webhook.ts#sign}
 */
export function signWebhook<Body extends string | Uint8Array = string>(
  options: SignWebhookOptions & { body?: Body | undefined },
): SignedWebhook<Body> {
  const { event = 'webhook.ping', id = `whd_${crypto.randomUUID().replaceAll('-', '').toUpperCase()}` } = options;
  const timestamp = options.timestamp ?? Math.floor(Date.now() / 1000);
  const body = options.body ?? JSON.stringify(typeof event === 'string' ? sampleEvent(event) : event);
  const hashed = hashesTextOnly ? decodeBody(body, false) : body;
  const signatures = toSigners(options.secrets).map((sign) => `v1,${sign(id, timestamp, hashed)}`);
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
