import type { Captured } from './captured.ts';
import type { Finding } from './finding.ts';

/**
 * Checks a request with the endpoint's secret, as a receiver does.
 *
 * @param findChanges - Returns the parts that differ from what the server sent. Called if the secret does not verify
 *   the request.
 */
export async function verify(
  { headers, body, reserialised }: Captured,
  secret: string,
  findChanges: () => Promise<Finding[]> = async () => [],
): Promise<Finding[]> {
  const [id = '', timestamp = '', signatures = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headers.get(name),
  );
  const missing = Object.entries({ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures })
    .filter(([, value]) => value === '')
    .map(([name]) => name);
  if (missing.length > 0) {
    return [{ what: 'headers', ok: false, detail: `${missing.join(', ')} missing. A proxy may have removed them.` }];
  }
  const { verifyWebhook, WebhookError } = await import('@svc/webhooks');
  try {
    // Ignore the age of the request, because it was captured earlier.
    const now = Number(timestamp) * 1_000;
    const { event } = verifyWebhook({ headers: [...headers], body, secrets: secret, now: Number.isNaN(now) ? 0 : now });
    return [{ what: 'signature', ok: true, detail: `the secret verifies it: ${event.type}, event ${event.id}` }];
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    if (error.code !== 'no_match') return [{ what: error.code, ok: false, detail: error.message }];
    const { explainMismatch } = await import('@svc/webhooks/diagnose');
    const cause = explainMismatch({ id, timestamp, signatures, body, secrets: [secret] });
    const changes = await findChanges();
    if (!cause && changes.length > 0) return [CHANGED, ...changes];
    const why = cause ? `It would match if: ${cause}.` : NO_CAUSE;
    const note = reserialised ? ' The capture does not have the raw body, only its JSON value.' : '';
    return [{ what: 'signature', ok: false, detail: `the secret does not verify it. ${why}${note}` }, ...changes];
  }
}

/** The request was changed on its way. The secret may be right. */
const CHANGED: Finding = {
  what: 'signature',
  ok: false,
  detail: 'the secret cannot verify it, because the request is not as the server sent it.',
};

const NO_CAUSE =
  'No usual change of the body explains it. The secret is probably that of another endpoint, or from before a rotation.';
