import type { SendResult } from '../src/delivery/sending/attempt-request.ts';
import type { SimulatedDatabase } from './database.ts';
import { DELAYS_MS } from './node.ts';

interface Accepted {
  workspace_id: string;
  created_at: number;
}

/** A row in `delivery_queue` or in `delivery_ends`. */
interface Place {
  /** Null while the delivery is pending. */
  status: string | null;
  attempt: number;
  retry: number | null;
  /** The due time of a pending delivery, or the end time of an ended delivery. */
  at: number;
  response_status: number | null;
  error: string | null;
}

type StoredDelivery = Accepted & Place;

interface StoredAttempt {
  number: number;
  started_at: number;
  ended_at: number;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
  late: number;
}

const PLACES = `
  select null as status, attempt, retry, due_at as at, response_status, error
    from delivery_queue where workspace_id = ?1 and delivery_id = ?2
  union all
  select status, attempt, null, ended_at, response_status, error
    from delivery_ends where workspace_id = ?1 and delivery_id = ?2`;

export interface KnownDelivery {
  /** The status with which the delivery ended, if it has ended. */
  ended: string | undefined;
  resultsOf(number: number): readonly SendResult[];
  wasSetBack: boolean;
}

/** Checks a delivery after a commit. Returns the delivery's status, and a text about any broken invariant. */
export function checkDelivery(
  database: SimulatedDatabase,
  id: string,
  known: KnownDelivery,
): { status: string | null; problem?: string | undefined } {
  const [accepted] = database.all<Accepted>('select workspace_id, created_at from deliveries where id = ?', id);
  if (!accepted) return { status: null, problem: 'is no longer in the database' };
  const [place, second] = database.all<Place>(PLACES, accepted.workspace_id, id);
  if (!place) return { status: null, problem: 'is not in the queue and has not ended' };
  const { status } = place;
  if (second) return { status, problem: 'has two rows: it is in the queue and has ended, or it has ended twice' };
  const delivery = { ...accepted, ...place };
  if (known.ended !== undefined && status !== known.ended)
    return { status, problem: `has ended as ${known.ended}, but is now ${status ?? 'pending'}` };
  const all = database.all<StoredAttempt>(
    `select number, started_at, ended_at, response_status, response_body, error, late
      from delivery_attempts where delivery_id = ? order by number`,
    id,
  );
  const log = all.filter(({ late }) => late === 0);
  return {
    status,
    problem: problemOfLog(delivery, log, known) ?? problemOfState(delivery, log) ?? unknownResult(all, known),
  };
}

/** Returns the time at which the next attempt is due, according to this log. */
function dueAfter({ created_at }: StoredDelivery, log: readonly StoredAttempt[]): number {
  const last = log.at(-1);
  return last ? last.ended_at + (DELAYS_MS[log.length - 1] ?? 0) : created_at;
}

function problemOfLog(delivery: StoredDelivery, log: readonly StoredAttempt[], { wasSetBack }: KnownDelivery) {
  if (log.length !== delivery.attempt) return `counts ${delivery.attempt} attempts, but its log has ${log.length}`;
  for (const [index, { number, started_at }] of log.entries()) {
    if (number !== index + 1) return `has attempt ${number} at position ${index + 1} of its log`;
    if (log[index - 1]?.error === null) return 'was sent again after it succeeded';
    const earlyMs = dueAfter(delivery, log.slice(0, index)) - started_at;
    if (!wasSetBack && earlyMs > 0) return `attempt ${number} started ${earlyMs} ms early`;
  }
  return undefined;
}

function problemOfState(delivery: StoredDelivery, log: readonly StoredAttempt[]): string | undefined {
  const { status, at, retry } = delivery;
  const last = log.at(-1);
  for (const column of ['response_status', 'error'] as const) {
    const expected = last?.[column] ?? null;
    if (delivery[column] !== expected) return `has the ${column} ${delivery[column]} instead of ${expected}`;
  }
  if ((status === 'success') !== (last?.error === null))
    return `has the status ${status}, but its attempt log says otherwise`;
  const isComplete = log.length > DELAYS_MS.length;
  if (status === 'failed' && !isComplete) return `failed after ${log.length} attempts`;
  if (status === null && isComplete) return `is still pending after ${log.length} attempts`;
  if (status === null && retry !== Math.min(log.length, 1))
    return `is queued as a ${retry === 0 ? 'first attempt' : 'retry'} after ${log.length} attempts`;
  const expected = status === 'success' || status === 'failed' ? last?.ended_at : dueAfter(delivery, log);
  const isAt = status === null ? 'is due' : 'ended';
  return at === expected ? undefined : `${isAt} at ${at} instead of ${expected}`;
}

function unknownResult(log: readonly StoredAttempt[], { resultsOf }: KnownDelivery): string | undefined {
  for (const { number, error, response_status, response_body } of log) {
    const isKnown = resultsOf(number).some(
      (result) =>
        !('shortage' in result) &&
        errorOf(result) === error &&
        (result.response?.status ?? null) === response_status &&
        (result.response?.body ?? null) === response_body,
    );
    if (!isKnown) return `attempt ${number} was logged as ${error ?? 'a success'}, which is not its result`;
  }
  return undefined;
}

function errorOf({ response, error }: Exclude<SendResult, { shortage: string }>): string | null {
  if (error !== undefined) return error;
  return response.status >= 200 && response.status <= 299 ? null : `HTTP ${response.status}`;
}
