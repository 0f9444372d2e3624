import { WebhookError } from '#index';
import { readHeaders } from '../headers.ts';
import type { BufferedRequest } from '../request.ts';
import { askForSecrets, type SecretSource } from '../secret-source.ts';
import type { Secrets } from '../signers.ts';
import type { WebhookMessage } from '../verify-message.ts';
import { explainMismatch } from './explain-mismatch.ts';

/** Finds out why no signature of a message matches the secrets. */
export function findCause({ headers, body }: WebhookMessage, secrets: Secrets): string | undefined {
  const found = readHeaders(headers);
  return explainMismatch({
    id: found['webhook-id'] ?? '',
    timestamp: found['webhook-timestamp'] ?? '',
    signatures: found['webhook-signature'] ?? '',
    body: Buffer.from(body as Uint8Array),
    secrets: [secrets].flat(),
  });
}

/** Returns a sentence that names the cause, or says that no cause was found. */
export const toSentence = (cause: string | undefined): string => (cause ? `Likely cause: ${cause}.` : NO_CAUSE);

const NO_CAUSE =
  'No common change to the body or the key explains the mismatch. The secret is probably from another endpoint, or was replaced in a rotation.';

/**
 * The largest body, in bytes, for which a receiver searches for the cause of a mismatch. The size is limited, because
 * anybody can start a search by sending a wrong signature.
 */
const SEARCH_MAX_BYTES = 64 * 1024;
/** A search of 5 ms uses up 50 ms of the process's time, so that searches take at most one tenth of this time. */
const TIME_PER_SEARCH_TIME = 10;
/** Searches may use up time that is up to one second ahead, so that 100 ms of searches can run without a pause. */
const AHEAD_MAX_MS = 1_000;
/** The time until which earlier searches have used up the search time, on the clock of `performance.now()`. */
let usedUpUntil = 0;

/**
 * Returns a sentence that says why no signature matches. Does not search for the cause if the body is large, or if
 * earlier searches in this process have used up too much time.
 */
function searchForCause(message: WebhookMessage, secrets: Secrets): string {
  const began = performance.now();
  if (Buffer.byteLength(message.body as Uint8Array) > SEARCH_MAX_BYTES) {
    return 'The receiver does not search such a large body for the cause: save the request, and run svc-webhooks verify.';
  }
  if (usedUpUntil > began + AHEAD_MAX_MS)
    return 'The receiver did not search for the cause, because it rejects too many requests.';
  const sentence = toSentence(findCause(message, secrets));
  usedUpUntil = Math.max(usedUpUntil, began) + (performance.now() - began) * TIME_PER_SEARCH_TIME;
  return sentence;
}

/**
 * Explains in one line why a receiver rejected a request. The line contains no secret and no data that the sender
 * chose.
 */
export async function explainRejection(
  error: unknown,
  secrets: SecretSource,
  request?: BufferedRequest,
): Promise<string> {
  if (!WebhookError.is(error)) return `rejected: ${error}`;
  const rejected = `rejected, ${error.code}: ${error.message}`;
  if (error.skewSeconds !== undefined) return `${rejected} ${describeSkew(error.skewSeconds)}`;
  if (error.code !== 'no_match' || !request) return rejected;
  return `${rejected} ${searchForCause(request, await askForSecrets(secrets, request))}`;
}

const describeSkew = (skewSeconds: number): string =>
  `The request is ${Math.abs(skewSeconds)} s ${skewSeconds < 0 ? 'old' : 'ahead of the clock'}.`;
