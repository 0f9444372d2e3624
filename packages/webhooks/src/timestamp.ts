import { headerError, WebhookError } from './error.ts';

/**
 * Reads `webhook-timestamp`, in seconds since the epoch: `0`, or up to 15 digits with no leading zero. Rejects a
 * timestamp that differs from the clock by more than `toleranceSeconds`, in either direction.
 */
export function parseTimestamp(text: string, nowMs: number, toleranceSeconds: number): number {
  if (!/^(0|[1-9]\d{0,14})$/.test(text)) {
    throw headerError('malformed_timestamp', 'webhook-timestamp');
  }
  const timestamp = Number(text);
  const skewSeconds = timestamp - Math.floor(nowMs / 1000);
  // If the clock returns NaN, this comparison rejects every timestamp.
  if (Math.abs(skewSeconds) <= toleranceSeconds) return timestamp;
  throw new WebhookError(
    skewSeconds > 0 ? 'timestamp_too_new' : 'timestamp_too_old',
    401,
    `Check your clock: it is over ${toleranceSeconds} s from the timestamp.`,
    { skewSeconds },
  );
}
