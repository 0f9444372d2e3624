import { WebhookError } from './error.ts';

/** Reads `webhook-timestamp`, in seconds since the epoch: `0`, or up to 15 digits with no leading zero. */
export function parseTimestamp(text: string): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new WebhookError('malformed_timestamp', 400, 'the service sends no such timestamp; who sent this?');
}

/** Refuses a timestamp that lies further than `toleranceSeconds` from the clock, on either side (service document, "Signature", 4). */
export function checkTimestamp(timestamp: number, nowMs: number, toleranceSeconds: number): void {
  const skewSeconds = timestamp - Math.floor(nowMs / 1000);
  // Written so that a clock or a tolerance that is not a number refuses everything.
  if (Math.abs(skewSeconds) <= toleranceSeconds) return;
  throw new WebhookError(
    skewSeconds > 0 ? 'timestamp_too_new' : 'timestamp_too_old',
    401,
    `${skewSeconds} s from this clock, over ${toleranceSeconds}; is it right?`,
    { skewSeconds },
  );
}
