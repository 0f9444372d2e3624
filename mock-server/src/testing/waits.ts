import type {
  DeliveryExplanation,
  DeliveryState,
  LoggedAttempt,
  SeenDelivery,
  Settled,
  WaitInput,
} from '@svc/contract/control/resources';
import { checkOptionNames } from '../config/config.ts';
import type { ControlClient } from '../control-client/client.ts';
import { ControlError } from '../control-client/response.ts';
import { compactDuration, formatDuration, timeToNextAttemptMs } from '../domain/duration.ts';

/** Test frameworks usually stop a test after 5 s, so a wait must time out before then to report the reason. */
export const WAIT_TIMEOUT_MS = 4_000;

const DESCRIBED_MAX = 5;

/** Selects deliveries to wait for: a single delivery, all deliveries of an event, or all deliveries to an endpoint. */
export interface WaitForDeliveryOptions {
  eventId?: string | undefined;
  deliveryId?: string | undefined;
  endpointId?: string | undefined;
  /** The status that all deliveries must have. Default: any status except `pending`. */
  status?: DeliveryState | undefined;
  /** The timeout in milliseconds. Default: 4,000. */
  timeoutMs?: number | undefined;
}

export async function waitForDelivery(
  control: ControlClient,
  options: WaitForDeliveryOptions,
): Promise<SeenDelivery[]> {
  checkOptionNames(options, ['eventId', 'deliveryId', 'endpointId', 'status', 'timeoutMs']);
  const input: WaitInput = { ...options, timeoutMs: options.timeoutMs ?? WAIT_TIMEOUT_MS };
  if ([input.deliveryId, input.eventId, input.endpointId].every((id) => id === undefined)) {
    throw new TypeError('waitForDelivery requires "eventId", "deliveryId" or "endpointId".');
  }
  try {
    return (await control.wait(input)).deliveries;
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 408) throw error;
    const { deliveries } = error.body as { deliveries: SeenDelivery[] };
    throw new WaitError(await describeWait(control, input, deliveries), deliveries);
  }
}

function describeNone({ eventId, endpointId }: WaitInput): string {
  if (eventId === undefined)
    return `${endpointId} has no deliveries yet. Trigger an event that the endpoint subscribes to.`;
  if (endpointId !== undefined)
    return `${eventId} has no delivery to ${endpointId}, because the endpoint does not subscribe to this event type.`;
  return `${eventId} has no deliveries, because no endpoint of the workspace subscribes to this event type.`;
}

async function describeWait(control: ControlClient, input: WaitInput, seen: readonly SeenDelivery[]): Promise<string> {
  if (seen.length === 0) return describeNone(input);
  const { status } = input;
  const unmet = seen.filter((one) => (status === undefined ? one.status === 'pending' : one.status !== status));
  const lines = await Promise.all(unmet.slice(0, DESCRIBED_MAX).map((one) => describeUnmet(control, one)));
  const left = unmet.length - lines.length;
  return [...lines, ...(left > 0 ? [`… and ${left} more`] : [])].join('\n');
}

export async function waitForIdle(control: ControlClient, options: { timeoutMs?: number } = {}): Promise<Settled> {
  checkOptionNames(options, ['timeoutMs']);
  const { timeoutMs = WAIT_TIMEOUT_MS } = options;
  const settled = await control.settle({ timeoutMs });
  if (settled.settled) return settled;
  throw new WaitError(
    `After ${timeoutMs} ms, ${settled.inFlight} attempts or evaluations are in flight, and ${settled.pending} more are due.`,
  );
}

const QUOTED_MAX_LENGTH = 80;

/**
 * Thrown if a wait times out. If the wait was for deliveries, the message describes up to 5 deliveries that do not have
 * the requested status. For each of these deliveries, the message contains the state and what happens next.
 */
export class WaitError extends Error {
  override readonly name = 'WaitError';
  /** The selected deliveries, as they were at the end of the wait. Empty if the wait was not for deliveries. */
  readonly deliveries: readonly SeenDelivery[];

  constructor(message: string, deliveries: readonly SeenDelivery[] = [], options?: ErrorOptions) {
    super(message, options);
    this.deliveries = deliveries;
  }
}

async function describeUnmet(control: ControlClient, { id, status }: SeenDelivery): Promise<string> {
  const [{ attempts }, { explanation }] = await Promise.all([
    control.listAttempts({ deliveryId: id }),
    control.explainDelivery({ deliveryId: id }),
  ]);
  const last = attempts.at(-1);
  if (status !== 'pending' || !last) return `${id} is ${status}. ${explanation.sentence}`;
  const count = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`;
  return `${id} is ${status}: ${count}, the last one ${describeOutcome(last)}${describeNext(explanation)}`;
}

function describeOutcome({ response, error }: LoggedAttempt): string {
  if (error === 'Blocked address') return `${error} (the option allowNetwork decides which addresses get deliveries)`;
  const outcome = error ?? `HTTP ${response?.status}`;
  const body = response?.body?.trim();
  return `${outcome}${body ? ` (${JSON.stringify(shorten(body))})` : ''}`;
}

function describeNext(explanation: DeliveryExplanation): string {
  const dueInMs = timeToNextAttemptMs(explanation);
  if (dueInMs === undefined) return `. ${explanation.sentence}`;
  const advance = `Run service.clock.advance('${compactDuration(dueInMs)}') to trigger it`;
  return `, the next is due in ${formatDuration(dueInMs)}. ${advance}`;
}

const shorten = (text: string) => (text.length > QUOTED_MAX_LENGTH ? `${text.slice(0, QUOTED_MAX_LENGTH)}…` : text);
