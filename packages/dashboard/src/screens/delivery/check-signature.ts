import { parseSecret, verifyWebhook, WebhookError } from '@svc/webhooks';
import { signWebhook } from '@svc/webhooks/testing';

export interface KnownSecret {
  endpointId: string;
  preview: string;
  createdAt: string;
  expiresAt: string | null;
}

/** `known` contains the secrets that the page knows, from all endpoints. `now` is the virtual time in milliseconds. */
export interface SignatureCheck {
  secret: string;
  endpointId: string;
  headers: Readonly<Record<string, string>>;
  /** The attempt's body. Null if retention removed the body. Without the body, the signature cannot be verified. */
  body: string | null;
  known: readonly KnownSecret[];
  now: number;
}

export type SignatureResult =
  | { kind: 'right'; isCurrent: boolean; expiresAt: string | null }
  /** The secret signed this attempt, but no longer signs new attempts. */
  | { kind: 'outdated'; at: string }
  /** The secret belongs to the endpoint, but did not sign this attempt. */
  | { kind: 'expired' | 'newer'; at: string }
  /** The secret matches the preview of one of the endpoint's secrets, but there is no body to verify. */
  | { kind: 'unverified' }
  | { kind: 'foreign'; endpointId: string }
  | { kind: 'unknown' }
  | { kind: 'malformed'; why: string };

/** The hints in `@svc/webhooks` are for authors of receivers. The hints below are for a person who pastes a secret. */
const WHY_MALFORMED: Readonly<Record<string, string>> = {
  secret_empty: 'Nothing follows whsec_. Copy the whole secret again.',
  secret_prefix: 'A secret begins with whsec_, with nothing before it and no quotes around it.',
  secret_whitespace:
    'The text contains a space, a comma, a line break or an invisible character. Paste one secret, and nothing else.',
  secret_encoding:
    'The text contains a character that no secret has, or a part is missing. Copy the whole secret again.',
  secret_length: 'The text is too short or too long. Copy the whole secret again.',
};

const previewOf = (secret: string) => `${secret.slice(0, 10)}…${secret.slice(-4)}`;

/** Checks a signature in the page, so that the secret is not sent. */
export function checkSignature({ secret, endpointId, headers, body, known, now }: SignatureCheck): SignatureResult {
  try {
    parseSecret(secret);
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    return { kind: 'malformed', why: WHY_MALFORMED[error.code] ?? 'Copy the whole secret again.' };
  }
  const named = known.filter(({ preview }) => preview === previewOf(secret));
  const own = named.find((one) => one.endpointId === endpointId);
  if (body === null && own) return { kind: 'unverified' };
  const expired = own?.expiresAt && Date.parse(own.expiresAt) <= now ? own.expiresAt : undefined;
  if (body !== null && isSignedWith(secret, headers, body)) {
    if (expired !== undefined) return { kind: 'outdated', at: expired };
    return { kind: 'right', isCurrent: own?.expiresAt === null, expiresAt: own?.expiresAt ?? null };
  }
  if (expired !== undefined) return { kind: 'expired', at: expired };
  if (own) return { kind: 'newer', at: own.createdAt };
  const [foreign] = named;
  return foreign ? { kind: 'foreign', endpointId: foreign.endpointId } : { kind: 'unknown' };
}

function isSignedWith(secret: string, headers: Readonly<Record<string, string>>, body: string): boolean {
  const timestamp = Number(headers['webhook-timestamp']) * 1_000;
  try {
    // The age of the signature does not matter, so use the time at which the attempt was signed.
    verifyWebhook({ secrets: secret, headers, body, now: () => timestamp });
    return true;
  } catch (error) {
    if (WebhookError.is(error) && !error.authenticated) return false;
    if (WebhookError.is(error)) return true;
    throw error;
  }
}

/** The signing steps. The author of a receiver can compare them with the receiver's own steps. */
export interface SignatureSteps {
  /** The bytes of the secret, in hex. */
  key: string;
  /** `webhook-id`, `webhook-timestamp` and the body, joined by dots. */
  signed: string;
  /** The signature, written like an entry in `webhook-signature`. */
  signature: string;
  /** Whether the header contains this signature. */
  isSent: boolean;
}

/** Returns the signing steps, or `undefined` if the secret is malformed or retention removed the body. */
export function stepsOf({
  secret,
  headers,
  body,
}: Pick<SignatureCheck, 'secret' | 'headers' | 'body'>): SignatureSteps | undefined {
  if (body === null) return undefined;
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': sent = '' } = headers;
  try {
    const key = Array.from(parseSecret(secret), (byte) => byte.toString(16).padStart(2, '0')).join('');
    const made = signWebhook({ secrets: secret, id, timestamp: Number(timestamp), body });
    const signature = made.headers['webhook-signature'];
    return { key, signed: `${id}.${timestamp}.${body}`, signature, isSent: sent.split(' ').includes(signature) };
  } catch (error) {
    if (WebhookError.is(error)) return undefined;
    throw error;
  }
}
