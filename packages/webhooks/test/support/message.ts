import { createHmac, randomBytes } from 'node:crypto';

/** A clock for tests, in seconds and in milliseconds. */
export const NOW_SECONDS = 1_780_000_000;
export const NOW_MS = NOW_SECONDS * 1000;

/** A key whose base64url text contains both `-` and `_`. */
export const KEY = Buffer.from('fb7fff'.repeat(10) + randomBytes(2).toString('hex'), 'hex');
export const SECRET = `whsec_${KEY.toString('base64url')}`;

export const PING = '{"id":"evt_1","type":"webhook.ping","created":"2026-05-28T20:26:40.000Z"}';
export const EVALUATED =
  '{"id":"evt_2","type":"lifecycle.evaluated","created":"2026-05-28T20:26:40.000Z","subject":{"id":"wsp_1","type":"workspace","url":"/v1/workspaces/wsp_1"}}';

/** The POST that a receiver gets: its headers and its body. */
export interface Sent {
  headers: Record<string, string>;
  body: string;
}

/** Signs with Node's own HMAC. It shares no code with the library, so that it can check it. */
export function hmac(key: Uint8Array, id: string, timestamp: number | string, body: string | Uint8Array): string {
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

interface MessageParts {
  key?: Uint8Array;
  id?: string;
  timestamp?: number | string;
  body?: string | Uint8Array;
}

/** A message of the service. By default, it is signed at `NOW_SECONDS`. */
export function signedMessage(parts: MessageParts = {}) {
  const { key = KEY, id = 'whd_1', timestamp = NOW_SECONDS, body = PING } = parts;
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${hmac(key, id, timestamp, body)}`,
  };
  return { headers, body };
}

/** Like {@link signedMessage}, but as a Fetch request. */
export function signedRequest(parts: MessageParts = {}, init: RequestInit = {}): Request {
  const { headers, body } = signedMessage(parts);
  return new Request('https://receiver.test/webhooks', {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : Buffer.from(body),
    ...init,
  });
}
