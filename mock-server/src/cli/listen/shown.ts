import type { Output } from '../output/output.ts';
import type { TargetResponse } from './forward.ts';

/** What `listen` prints about a delivery. */
export const shownOf = (deliveryId: string, eventType: string, response: TargetResponse) => ({
  deliveryId,
  eventType,
  status: response.status,
  durationMs: response.durationMs,
  error: response.error,
  ...(isFailure(response.status) && !response.error && { body: firstLine(response.body) }),
});

export function lineOf(
  { style }: Output,
  { deliveryId, eventType, status, durationMs, error, body }: ReturnType<typeof shownOf>,
): string {
  const result = isFailure(status) ? style.red(error ?? `HTTP ${status}`) : style.green(`HTTP ${status}`);
  return `${new Date().toISOString()}  ${deliveryId}  ${eventType}  ${result}  ${durationMs} ms${body ? `  ${body}` : ''}`;
}

const isFailure = (status: number) => status < 200 || status >= 300;

const SHOWN_MAX_LENGTH = 80;

/** Enough bytes for the characters that are shown. */
const READ_MAX_BYTES = 4_096;

function firstLine(body: Buffer): string {
  const [line = ''] = body
    .subarray(0, READ_MAX_BYTES)
    .toString('utf8')
    .trimStart()
    .split(/[\r\n]/, 1);
  const shown = line.trimEnd();
  return shown.length > SHOWN_MAX_LENGTH ? `${shown.slice(0, SHOWN_MAX_LENGTH - 1)}…` : shown;
}
