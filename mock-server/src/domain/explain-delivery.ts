import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import { formatDuration } from './duration.ts';

/** What is known of a delivery and of what it depends on. Instants are milliseconds since the epoch, on the virtual clock. */
export interface DeliveryFacts {
  status: 'pending' | 'success' | 'failed' | 'disabled';
  /** Finished attempts. */
  attempt: number;
  /** Attempts that there are at most. */
  attemptsMax: number;
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  /** Of the last attempt. */
  error: string | null;
  /** Undefined where it was deleted. */
  endpoint: { active: boolean; consecutiveFailures: number } | undefined;
  /** Whether some server holds the endpoint's lane. */
  laneIsHeld: boolean;
  here: DeliveryOnNode;
  clock: { now: number; frozen: boolean };
}

/** Where a delivery stands on the server that is asked. */
export interface DeliveryOnNode {
  /** Whether the server makes attempts at all now. */
  takes: boolean;
  /** Whether its attempt is being made, or was made and is about to be written back. */
  isInFlight: boolean;
  /** Whether the server holds the endpoint's lane. */
  holdsLane: boolean;
  /** Attempts in flight to the endpoint, and how many there may be now. */
  endpoint: { inFlight: number; max: number };
  /** The same of its workspace, with what waits to be written back, and how many there may be now: its share. */
  workspace: { inFlight: number; max: number };
  /** The same of the server. */
  node: { inFlight: number; max: number };
}

/** Why a delivery is where it is. */
export type ExplanationReason =
  | 'delivered'
  | 'attempts_used_up'
  | 'endpoint_inactive'
  | 'endpoint_deleted'
  | 'in_flight'
  | 'scheduled'
  | 'clock_frozen'
  | 'not_delivering'
  | 'held_by_another_server'
  | 'endpoint_busy'
  | 'workspace_busy'
  | 'server_busy'
  | 'waiting_for_its_turn';

export interface Explanation {
  reason: ExplanationReason;
  /** The same for people: why, and what comes next. */
  sentence: string;
  /** Attempts that may still be made; 0 once nothing comes any more. */
  attemptsLeft: number;
  /** Deliveries in a row that must still end failed to disable the endpoint; null where it is inactive or deleted. */
  failuresUntilDisabled: number | null;
}

/** Says why a delivery is where it is and what comes next (service document, "States and transitions"). */
export function explainDelivery(facts: DeliveryFacts): Explanation {
  const [reason, sentence] = facts.status === 'pending' ? explainPending(facts) : explainEnded(facts, facts.status);
  const { endpoint } = facts;
  return {
    reason,
    sentence,
    attemptsLeft: facts.status === 'pending' ? attemptsAtMost(facts) - facts.attempt : 0,
    failuresUntilDisabled: endpoint?.active ? CONSECUTIVE_FAILURES_MAX - endpoint.consecutiveFailures : null,
  };
}

/** A delivery that is pending has one attempt before it, also where the schedule was made shorter than what it has behind it. */
const attemptsAtMost = ({ attempt, attemptsMax }: DeliveryFacts) => Math.max(attemptsMax, attempt + 1);

type Said = [ExplanationReason, string];

function explainEnded(facts: DeliveryFacts, status: 'success' | 'failed' | 'disabled'): Said {
  const { attempt, error, endpoint } = facts;
  switch (status) {
    case 'success':
      return ['delivered', `Attempt ${attempt} delivered it at ${timeOf(facts.deliveredAt)}. No further attempts.`];
    case 'failed':
      return [
        'attempts_used_up',
        `All ${attempt} attempts failed, the last with "${error}". No further attempts. Replay the delivery to send it again.`,
      ];
    case 'disabled': {
      const when = attempt === 0 ? 'before its first attempt' : `when attempt ${attempt + 1} was due`;
      if (!endpoint) return ['endpoint_deleted', `Its endpoint was inactive or deleted ${when}, and is deleted.`];
      const replay = endpoint.active
        ? 'The endpoint is active now: replay the delivery to send it again.'
        : 'Activate the endpoint to replay the delivery.';
      return ['endpoint_inactive', `Its endpoint was inactive ${when}, so no request was made. ${replay}`];
    }
  }
}

function explainPending(facts: DeliveryFacts): Said {
  const { attempt, endpoint, clock, here, nextAttemptAt } = facts;
  const next = `Attempt ${attempt + 1} of ${attemptsAtMost(facts)}`;
  if (here.isInFlight) return ['in_flight', `${next} is being made.`];
  const dueAt = nextAttemptAt ?? clock.now;
  const isDue = dueAt <= clock.now;
  if (!endpoint?.active) {
    const when = isDue ? 'any moment' : `at ${timeOf(dueAt)}, when its next attempt is due`;
    if (!endpoint) return ['endpoint_deleted', `Its endpoint was deleted: it becomes disabled ${when}.`];
    return ['endpoint_inactive', `Its endpoint is inactive: unless that changes, it becomes disabled ${when}.`];
  }
  if (!isDue) return explainScheduled(facts, next, dueAt);
  return explainDue(facts, `${next} has been due since ${timeOf(dueAt)}`);
}

function explainScheduled({ attempt, error, clock }: DeliveryFacts, next: string, dueAt: number): Said {
  const failed = attempt === 0 ? '' : ` Attempt ${attempt} failed with "${error}".`;
  const due = `${next} is due at ${timeOf(dueAt)}, in ${formatDuration(dueAt - clock.now)}.`;
  if (!clock.frozen) return ['scheduled', `${due}${failed}`];
  return ['clock_frozen', `${due} The clock is frozen, so nothing happens until you move it.${failed}`];
}

function explainDue({ here, laneIsHeld }: DeliveryFacts, due: string): Said {
  const { endpoint, workspace, node } = here;
  // Of one that is gone, the lease ends after 32 s, and the others look for it every 5 s.
  if (laneIsHeld && !here.holdsLane) {
    return [
      'held_by_another_server',
      `${due}; another server holds its endpoint and makes the attempt, or releases the endpoint within 37 s.`,
    ];
  }
  if (!here.takes) {
    return ['not_delivering', `${due}; this server makes no attempts, so the delivery waits for a server that does.`];
  }
  if (endpoint.inFlight >= endpoint.max) {
    return [
      'endpoint_busy',
      `${due}; its endpoint already has the most attempts in flight that it may have (${endpoint.max}).`,
    ];
  }
  if (node.inFlight >= node.max) {
    return [
      'server_busy',
      `${due}; this server already has the most attempts in flight that it may have (${node.max}).`,
    ];
  }
  if (workspace.inFlight >= workspace.max) {
    return [
      'workspace_busy',
      `${due}; its workspace has ${workspace.inFlight} attempts in flight, and the rest of this server's slots is kept for others.`,
    ];
  }
  return ['waiting_for_its_turn', `${due}; its endpoint is next, within a second if slots are free.`];
}

const timeOf = (at: number | null) => new Date(at ?? 0).toISOString();
