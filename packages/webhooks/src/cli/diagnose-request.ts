import { verifyWebhook, WebhookError } from '#index';
import { readHeaders } from '../headers.ts';
import { toLimits } from '../limits.ts';
import type { CapturedRequest } from './captured-request.ts';
import { findCause, toSentence } from './explain-no-match.ts';
import type { Finding } from './finding.ts';

/** The maximum age that a receiver accepts by default. */
const { toleranceSeconds } = toLimits({});

/**
 * Checks a captured request with the endpoint's secrets, as a receiver does. Unlike a receiver, this function accepts a
 * request of any age. `svc-webhooks verify` and `svc-mock doctor` both use this function.
 *
 * @param findChanges - Compares the captured request with the request that was sent, and returns the differences. Pass
 * this function only if you know the sent request. `findChanges` is called only if no secret verifies the captured
 * request.
 */
export async function diagnoseRequest(
  { headers, body, reserialized }: CapturedRequest,
  secrets: readonly string[],
  findChanges: () => Promise<Finding[]> = async () => [],
): Promise<Finding[]> {
  const found = readHeaders(headers);
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => !found[name]);
  if (missing.length > 0) return [wrong('headers', `${missing.join(', ')} missing. A proxy may have removed them.`)];
  const sentAt = Number(found['webhook-timestamp']) * 1000;
  try {
    const now = Number.isNaN(sentAt) ? 0 : sentAt;
    const { event, known, secretIndex } = verifyWebhook({ headers, body, secrets, now });
    const secret = secrets.length > 1 ? `secret ${secretIndex + 1} of ${secrets.length}` : 'the secret';
    const detail = `${secret} verifies the request: ${event.type}${known ? '' : ' (not in the catalog)'}, event ${event.id}`;
    return [{ what: 'signature', ok: true, detail }];
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    const { code, message, authenticated } = error;
    if (code !== 'no_match') return [wrong(code, `${message}${authenticated ? SIGNED : ''}`)];
    if (body.length === 0) return [wrong('body', NO_BODY)];
    const cause = findCause({ headers, body }, secrets);
    const changes = await findChanges();
    if (!cause && changes.length > 0) return [wrong('signature', CHANGED), ...changes];
    const none =
      secrets.length > 1 ? 'none of the secrets verifies the request.' : 'the secret does not verify the request.';
    return [wrong('signature', `${none} ${toSentence(cause)}${reserialized ? NOT_RAW : ''}`), ...changes];
  }
}

/**
 * Checks the age of a request at the time `checkedAtMs`, as a receiver does. Returns no finding if the age is accepted.
 */
export function checkAge(headers: CapturedRequest['headers'], checkedAtMs: number): Finding[] {
  const seconds = Number(readHeaders(headers)['webhook-timestamp'] ?? Number.NaN);
  const ageS = Math.floor(checkedAtMs / 1000) - seconds;
  if (Number.isNaN(ageS) || Math.abs(ageS) <= toleranceSeconds) return [];
  const age = ageS > 0 ? `${ageS} s old` : `${-ageS} s ahead of the time of the check`;
  const rule = `A receiver rejects timestamps that differ from its clock by more than ${toleranceSeconds} s.`;
  return [wrong('age', `${age}. ${rule} To check everything except the age, add --at request.`)];
}

const wrong = (what: string, detail: string): Finding => ({ what, ok: false, detail });

const SIGNED = ' The signature is valid: the service, or someone with the secret, sent this request.';

/** Explains that a request was changed in transit, so that even the right secret cannot verify the request. */
const CHANGED = 'the secret cannot verify the request, because the request differs from what the server sent.';

const NO_BODY = 'it is empty, and the service never signs an empty body. Other code may have read it first.';

const NOT_RAW = ' The capture has only the JSON value of the body, not the raw body.';
