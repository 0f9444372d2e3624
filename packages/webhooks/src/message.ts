import { hashesTextOnly } from '#hashing';
import { decodeBody, toRawBody, type WebhookBody } from './body.ts';
import type { Delivery, VerifiedSignature } from './delivery.ts';
import { parseEnvelope } from './envelope.ts';
import { WebhookError } from './error.ts';
import { isKnownEvent } from './events.ts';
import type { Signer } from './hashing/signer.ts';
import type { WebhookHeaders } from './headers.ts';
import { readMessageHeaders } from './message-headers.ts';
import { checkMessageId } from './message-id.ts';
import { equalSignatures, parseSignatures } from './signatures.ts';
import { parseTimestamp } from './timestamp.ts';

/** A request as it came: its headers and its raw body. */
export interface WebhookMessage {
  body: WebhookBody;
  headers: WebhookHeaders;
}

/** The bounds within which a message is accepted. */
export interface VerificationLimits {
  /** How far `webhook-timestamp` may lie from the clock, in seconds, on either side. 300 unless given, as the service asks. */
  toleranceSeconds?: number | undefined;
  /** The clock, in milliseconds since the epoch: a number, or a function such as `Date.now`, the default. */
  now?: number | (() => number) | undefined;
  /** Largest body, in bytes. 1 MiB unless given. */
  maxBodyBytes?: number | undefined;
  /** Largest number of entries of `webhook-signature`. 32 unless given. */
  maxSignatures?: number | undefined;
}

/** The largest body that is taken unless told otherwise. */
export const DEFAULT_MAX_BODY_BYTES = 1024 * 1024;

/** Verifies the signature over the bytes, and gives them beside what it vouches for. */
export function verifyMessage(
  signers: readonly Signer[],
  message: WebhookMessage,
  limits: VerificationLimits,
): [VerifiedSignature, string | Uint8Array] {
  const { toleranceSeconds = 300, now = Date.now, maxBodyBytes = DEFAULT_MAX_BODY_BYTES, maxSignatures = 32 } = limits;
  const receivedAt = typeof now === 'number' ? now : now();
  const [id, timestampText, signatureList] = readMessageHeaders(message.headers);
  checkMessageId(id);
  const timestamp = parseTimestamp(timestampText, receivedAt, toleranceSeconds);
  const signatures = parseSignatures(signatureList, maxSignatures);
  let raw = toRawBody(message.body, maxBodyBytes);
  if (hashesTextOnly) raw = decodeBody(raw, false);
  const secretIndex = signers.findIndex((sign) => {
    const expected = sign(id, timestamp, raw);
    return signatures.some((given) => equalSignatures(expected, given));
  });
  if (secretIndex < 0) {
    throw new WebhookError('no_match', 401, "is it this endpoint's secret, the body as it came?");
  }
  return [{ id, timestamp, receivedAt, secretIndex }, raw];
}

/** Verifies a message and reads its event. */
export function verifyDelivery(
  signers: readonly Signer[],
  message: WebhookMessage,
  limits: VerificationLimits,
): Delivery {
  const [signature, raw] = verifyMessage(signers, message, limits);
  const body = decodeBody(raw, true);
  const event = parseEnvelope(body);
  return { ...signature, body, known: isKnownEvent(event), event } as Delivery;
}
