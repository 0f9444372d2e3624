import type { DeliveryExplanation, LoggedAttempt, SeenDelivery } from '@svc/contract/control/resources';
import { compactDuration, formatDuration, timeToNextAttemptMs } from '../domain/duration.ts';

/** How many characters of a receiver's response a message quotes. */
const QUOTED_MAX_LENGTH = 80;

/** Thrown if a wait times out. The message describes the state at that time, and what happens next. */
export class WaitError extends Error {
  override readonly name = 'WaitError';
  /** The deliveries at the end of the wait. */
  readonly deliveries: readonly SeenDelivery[];

  constructor(message: string, deliveries: readonly SeenDelivery[] = [], options?: ErrorOptions) {
    super(message, options);
    this.deliveries = deliveries;
  }
}

/** The facts about a delivery that did not reach the expected status in time. */
export interface Unmet {
  delivery: SeenDelivery;
  attempts: readonly LoggedAttempt[];
  explanation: DeliveryExplanation;
}

/** Describes, in one line, the state of a delivery, the result of its last attempt, and the next step. */
export function describeUnmet({ delivery, attempts, explanation }: Unmet): string {
  const { id, status } = delivery;
  const last = attempts.at(-1);
  if (status !== 'pending' || !last) return `${id} is ${status}. ${explanation.sentence}`;
  const count = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`;
  return `${id} is ${status}: ${count}, the last one ${describeOutcome(last)}, ${describeNext(explanation)}`;
}

function describeOutcome({ response, error }: LoggedAttempt): string {
  const outcome = error ?? `HTTP ${response?.status}`;
  const body = response?.body?.trim();
  return `${outcome}${body ? ` (${JSON.stringify(shorten(body))})` : ''}`;
}

function describeNext(explanation: DeliveryExplanation): string {
  const dueInMs = timeToNextAttemptMs(explanation);
  if (dueInMs === undefined) return `and: ${explanation.sentence}`;
  const advance = `To trigger it now, run service.clock.advance('${compactDuration(dueInMs)}')`;
  return `the next is due in ${formatDuration(dueInMs)}. ${advance}`;
}

const shorten = (text: string) => (text.length > QUOTED_MAX_LENGTH ? `${text.slice(0, QUOTED_MAX_LENGTH)}…` : text);
