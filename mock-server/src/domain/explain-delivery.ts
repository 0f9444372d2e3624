import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';
import type { DeliveryExplanation, ExplanationReason } from '@svc/contract/control/resources';
import { formatDuration } from './duration.ts';
import { GONE_AFTER_MS, RENEWAL_INTERVAL_MS } from './node-watch.ts';

const GONE_WITHIN_S = Math.ceil((GONE_AFTER_MS + RENEWAL_INTERVAL_MS) / 1000);

/** All times are on the virtual clock. */
export interface DeliveryFacts {
  status: 'pending' | 'success' | 'failed' | 'disabled';
  /** The number of finished attempts. */
  attempt: number;
  retryDelaysMs: readonly number[];
  nextAttemptAt: number | null;
  deliveredAt: number | null;
  error: string | null;
  /** `undefined` if the endpoint was deleted. */
  endpoint: { active: boolean; consecutiveFailures: number } | undefined;
  /** Whether any server holds the endpoint's lane. */
  laneIsHeld: boolean;
  here: DeliveryOnNode;
  clock: { now: number; frozen: boolean };
}

/** What the responding server knows about a delivery. */
export interface DeliveryOnNode {
  /** Whether the server claims lanes and starts attempts. Also true while a shortage of resources pauses the server. */
  takes: boolean;
  /** Whether this server is making an attempt. Also true if the attempt has ended but its result is not stored yet. */
  isInFlight: boolean;
  holdsLane: boolean;
  /** The attempts in flight to the endpoint, and their current limit. */
  endpoint: { inFlight: number; max: number };
  /** The slots for the workspace's attempts. A slot is in use until the attempt's result is stored. */
  workspace: { inFlight: number; max: number };
  /** The slots for all workspaces on this server. */
  node: { inFlight: number; max: number };
}

type Explanation = Pick<DeliveryExplanation, 'reason' | 'sentence' | 'attemptsLeft' | 'laterDelaysMs'> &
  Pick<DeliveryExplanation['endpoint'], 'failuresUntilDisabled'>;

/** Explains the state of a delivery and its next step (service document, "States and transitions"). */
export function explainDelivery(facts: DeliveryFacts): Explanation {
  const [reason, sentence] = facts.status === 'pending' ? explainPending(facts) : explainEnded(facts, facts.status);
  const { endpoint } = facts;
  return {
    reason,
    sentence,
    attemptsLeft: facts.status === 'pending' ? attemptsAtMost(facts) - facts.attempt : 0,
    laterDelaysMs: facts.status === 'pending' ? facts.retryDelaysMs.slice(facts.attempt) : [],
    failuresUntilDisabled: endpoint?.active ? CONSECUTIVE_FAILURES_MAX - endpoint.consecutiveFailures : null,
  };
}

/** A pending delivery always gets one more attempt, even if the schedule has become shorter. */
const attemptsAtMost = ({ attempt, retryDelaysMs }: DeliveryFacts) => 1 + Math.max(retryDelaysMs.length, attempt);

type Said = [ExplanationReason, string];

function explainEnded(facts: DeliveryFacts, status: 'success' | 'failed' | 'disabled'): Said {
  const { attempt, error, endpoint } = facts;
  switch (status) {
    case 'success':
      return ['delivered', `Attempt ${attempt} succeeded at ${timeOf(facts.deliveredAt)}. No further attempts.`];
    case 'failed':
      return [
        'attempts_used_up',
        `All ${attempt} attempts failed, the last with "${error}". No further attempts. Replay the delivery to send it again.`,
      ];
    case 'disabled': {
      const when = attempt === 0 ? 'before the first attempt' : `when attempt ${attempt + 1} was due`;
      if (!endpoint) return ['endpoint_deleted', `The endpoint is deleted. It was deleted or inactive ${when}.`];
      const replay = endpoint.active
        ? 'The endpoint is active now: replay the delivery to send it again.'
        : 'Activate the endpoint to replay the delivery.';
      return ['endpoint_inactive', `The endpoint was inactive ${when}, so no request was made. ${replay}`];
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
    const when = isDue ? 'at any moment' : `at ${timeOf(dueAt)}, when the next attempt is due`;
    if (!endpoint) return ['endpoint_deleted', `The endpoint was deleted: the delivery becomes disabled ${when}.`];
    return [
      'endpoint_inactive',
      `The endpoint is inactive. If nobody activates the endpoint, the delivery becomes disabled ${when}.`,
    ];
  }
  if (!isDue) return explainScheduled(facts, next, dueAt);
  return explainDue(facts, `${next} has been due since ${timeOf(dueAt)}`);
}

function explainScheduled({ attempt, error, clock }: DeliveryFacts, next: string, dueAt: number): Said {
  const failed = attempt === 0 ? '' : ` Attempt ${attempt} failed with "${error}".`;
  const due = `${next} is due at ${timeOf(dueAt)}, in ${formatDuration(dueAt - clock.now)}.`;
  if (!clock.frozen) return ['scheduled', `${due}${failed}`];
  return ['clock_frozen', `${due} The clock is frozen, so the attempt waits until you move the clock.${failed}`];
}

function explainDue({ here, laneIsHeld }: DeliveryFacts, due: string): Said {
  const { endpoint, workspace, node } = here;
  if (laneIsHeld && !here.holdsLane) {
    return [
      'held_by_another_server',
      `${due}; another server is responsible for the endpoint and will make the attempt. If that server is gone, the other servers notice within ${GONE_WITHIN_S} s, and one of them takes over.`,
    ];
  }
  if (!here.takes) {
    return [
      'not_delivering',
      `${due}; this server makes no attempts, so the delivery waits for a server that makes attempts.`,
    ];
  }
  if (endpoint.inFlight >= endpoint.max) {
    return [
      'endpoint_busy',
      `${due}; the endpoint already has the maximum number of attempts in flight (${endpoint.max}).`,
    ];
  }
  if (node.inFlight >= node.max) {
    return ['server_busy', `${due}; this server already has the maximum number of attempts in flight (${node.max}).`];
  }
  if (workspace.inFlight >= workspace.max) {
    return [
      'workspace_busy',
      `${due}; the workspace already has ${workspace.inFlight} attempts in flight, and the remaining slots are for other workspaces.`,
    ];
  }
  return [
    'waiting_for_its_turn',
    `${due}; the endpoint is next in line. The attempt starts within a second if a slot is free.`,
  ];
}

const timeOf = (at: number | null) => new Date(at ?? 0).toISOString();
