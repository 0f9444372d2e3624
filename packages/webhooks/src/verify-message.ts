import { hashesTextOnly } from '#hashing';
import { decodeBody, toRawBody, type WebhookBody } from './body.ts';
import type { Delivery, VerifiedSignature } from './delivery.ts';
import { parseEnvelope } from './envelope.ts';
import { WebhookError } from './error.ts';
import { isKnownEvent } from './events.ts';
import type { Signer } from './hashing/signer.ts';
import { type HeaderValues, readHeaders, type WebhookHeaders } from './headers.ts';
import type { Limits } from './limits.ts';
import { readMessageHeaders } from './message-headers.ts';
import { checkMessageId } from './message-id.ts';
import { matchesEntry, parseSignatures } from './signature-header.ts';
import { parseTimestamp } from './timestamp.ts';

/** The headers and the raw body of a request. */
export interface WebhookMessage {
  body: WebhookBody;
  headers: WebhookHeaders;
}

/**
 * Checks the three webhook headers and the age of the message. These checks are cheap, so they run before the signature
 * check. The returned `head` has no `secretIndex` yet: `verifyMessage` adds the index.
 */
export function checkHead(headers: HeaderValues, limits: Limits): [entries: string[], head: VerifiedSignature] {
  const { now } = limits;
  const receivedAt = typeof now === 'number' ? now : now();
  const [id, timestampText, signatureList] = readMessageHeaders(headers);
  checkMessageId(id);
  const timestamp = parseTimestamp(timestampText, receivedAt, limits.toleranceSeconds);
  return [parseSignatures(signatureList, limits.maxSignatures), { id, timestamp, receivedAt } as VerifiedSignature];
}

/**
 * Verifies the signature of the raw body. Returns the signature's details, the raw body and all headers. Calls
 * `signers` only if the headers and the body are well-formed.
 */
export function verifyMessage(
  signers: () => readonly Signer[],
  message: WebhookMessage,
  limits: Limits,
): [VerifiedSignature, string | Uint8Array, HeaderValues] {
  // An untyped program may pass a value that is not an object.
  const { headers: given, body } = Object(message) as WebhookMessage;
  const headers = readHeaders(given);
  const [entries, head] = checkHead(headers, limits);
  const bytes = toRawBody(body, limits.maxBodyBytes);
  const raw = hashesTextOnly ? decodeBody(bytes, false) : bytes;
  head.secretIndex = signers().findIndex((sign) => {
    const expected = sign(head.id, head.timestamp, raw);
    return entries.some((entry) => matchesEntry(expected, entry));
  });
  if (head.secretIndex < 0) {
    throw new WebhookError('no_match', 401, "Use this endpoint's secret, and pass the raw body.", {
      what: 'No signature matches this secret',
    });
  }
  return [head, raw, headers];
}

/** Verifies a message and parses its event. */
export function verifyDelivery(signers: () => readonly Signer[], message: WebhookMessage, limits: Limits): Delivery {
  const [signature, raw, headers] = verifyMessage(signers, message, limits);
  const body = decodeBody(raw, true);
  const event = parseEnvelope(body);
  return { ...signature, body, headers, known: isKnownEvent(event), event } as Delivery;
}
