import { WebhookError } from './error.ts';

/**
 * Reads `webhook-timestamp`, in seconds since the epoch: `0`, or up to 15 digits with no leading zero.
 * Refuses one that lies further than `toleranceSeconds` from the clock, on either side (service document, "Signature", 4).
 */
export function parseTimestamp(text: string, nowMs: number, toleranceSeconds: number): number {
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) {
    throw new WebhookError('malformed_timestamp', 400, 'in ms? does a proxy change it?');
  }
  const timestamp = Number(text);
  const skewSeconds = timestamp - Math.floor(nowMs / 1000);
  // Written so that a clock or a tolerance that is not a number refuses everything.
  if (Math.abs(skewSeconds) <= toleranceSeconds) return timestamp;
  throw new WebhookError(
    skewSeconds > 0 ? 'timestamp_too_new' : 'timestamp_too_old',
    401,
    `${skewSeconds} s, over ${toleranceSeconds}; is the clock set?`,
    { skewSeconds },
  );
}
