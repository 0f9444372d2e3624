import type { Output } from '../output/output.ts';
import { firstLine } from './first-line.ts';
import type { TargetResponse } from './forward.ts';

/** A delivery, and the response to it. */
export interface Shown {
  deliveryId: string;
  eventType: string;
  status: number;
  durationMs: number;
  error: string | null;
  /** The first line of the target's response, if the delivery failed. */
  answer?: string;
}

/** What to show of a delivery. */
export const shownOf = (deliveryId: string, eventType: string, response: TargetResponse): Shown => ({
  deliveryId,
  eventType,
  status: response.status,
  durationMs: response.durationMs,
  error: response.error,
  ...(isFailure(response.status) && !response.error && { answer: firstLine(response.body) }),
});

/** One line for people. */
export function lineOf(
  { style }: Output,
  { deliveryId, eventType, status, durationMs, error, answer: response }: Shown,
): string {
  const result = isFailure(status) ? style.red(error ?? `HTTP ${status}`) : style.green(`HTTP ${status}`);
  return `${new Date().toISOString()}  ${deliveryId}  ${eventType}  ${result}  ${durationMs} ms${response ? `  ${response}` : ''}`;
}

const isFailure = (status: number) => status < 200 || status >= 300;
