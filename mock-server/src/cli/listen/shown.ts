import { type Output, shorten } from '../output/output.ts';
import type { TargetResponse } from './forward.ts';

/** Returns what `listen` prints about a delivery. */
export const shownOf = (deliveryId: string, eventType: string, response: TargetResponse) => ({
  deliveryId,
  eventType,
  status: response.status,
  durationMs: response.durationMs,
  error: response.error,
  ...(isFailure(response.status) && !response.error && { body: shorten(response.body.toString('utf8')) }),
});

export function lineOf(
  { style }: Output,
  { deliveryId, eventType, status, durationMs, error, body }: ReturnType<typeof shownOf>,
): string {
  const result = isFailure(status) ? style.red(error ?? `HTTP ${status}`) : style.green(`HTTP ${status}`);
  return `${new Date().toISOString()}  ${deliveryId}  ${eventType}  ${result}  ${durationMs} ms${body ? `  ${body}` : ''}`;
}

const isFailure = (status: number) => status < 200 || status >= 300;
