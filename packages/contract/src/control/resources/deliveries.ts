import type { EXPLANATION_REASONS } from '../values.ts';
import type { DeliveryState } from './time.ts';

/** One attempt of a delivery, as the server logged it. */
export interface LoggedAttempt {
  /** The number of the attempt. The first attempt has the number 1. */
  number: number;
  /** When the attempt started. */
  startedAt: string;
  /** When the attempt ended. */
  endedAt: string;
  /** The request that was sent. */
  request: {
    /** The URL of the endpoint. */
    url: string;
    /** The headers as sent. */
    headers: Record<string, string>;
    /** The body as JSON. */
    body: unknown;
    /** The exact body. */
    bodyText: string | null;
  };
  /** The response of the receiver, or null if no response arrived. */
  response: {
    /** The HTTP status. */
    status: number;
    /** The headers as received. */
    headers: Record<string, string>;
    /** The body, at most 64 KiB. Null if the server did not keep the body. */
    body: string | null;
  } | null;
  /** Duration in milliseconds. */
  responseTimeMs: number;
  /** Why the attempt failed, in a few words. Null if the attempt succeeded. */
  error: string | null;
  /**
   * Whether another server took over the delivery, or a reset deleted it, before the attempt ended. A late attempt does
   * not change the delivery.
   */
  late: boolean;
}

/** Why a delivery is in its state, and what happens next. */
export interface DeliveryExplanation {
  /** The reason, as a code for programs. */
  reason: ExplanationReason;
  /** The reason and what happens next, in sentences for people. */
  sentence: string;
  /** The state of the delivery. */
  status: DeliveryState;
  /** The number of finished attempts. */
  attempt: number;
  /** The number of attempts that may still be made. 0 if there will be no more attempts. */
  attemptsLeft: number;
  /**
   * The waits between the remaining attempts, in milliseconds, without jitter. The first number is the wait after the
   * next attempt. The list is empty if at most one attempt is left.
   */
  laterDelaysMs: number[];
  /** When the next attempt is due. Null if no attempt is scheduled. */
  nextAttemptAt: string | null;
  /** The endpoint that receives the delivery. */
  endpoint: {
    /** Id of the endpoint. */
    id: string;
    /** Whether the endpoint receives deliveries. */
    active: boolean;
    /** Whether the endpoint was deleted. */
    deleted: boolean;
    /** The number of consecutive deliveries that ended as `failed`. */
    consecutiveFailures: number;
    /**
     * The number of further consecutive failures that would disable the endpoint. Null if the endpoint is inactive or
     * deleted.
     */
    failuresUntilDisabled: number | null;
  };
  /** The virtual clock. */
  clock: {
    /** The virtual time. */
    now: string;
    /** Whether the clock is frozen. */
    frozen: boolean;
  };
}

/** Why a delivery is in its state. */
export type ExplanationReason = (typeof EXPLANATION_REASONS)[number];

/** A delivery of an event to one endpoint. */
export interface EventDelivery {
  /** Id of the delivery. */
  id: string;
  /** The endpoint that receives the delivery. */
  endpointId: string;
  /** The state of the delivery. */
  status: string;
  /** The number of finished attempts. */
  attempt: number;
  /** When the delivery was queued. */
  createdAt: string;
}

/**
 * The original delivery and its replays to the same endpoint, except the delivery that the path of the request names.
 */
export interface DeliveryReplays {
  /** The delivery that was replayed. Null if the path names this delivery, or if this delivery was deleted. */
  original: EventDelivery | null;
  /** The replays to the same endpoint among the event's newest 20 replays, oldest first. */
  replays: EventDelivery[];
}

/** A delivery's request, with new signatures. The timestamp is the time of the call on the real clock. */
export interface SignedNow {
  /** The URL of the endpoint. */
  url: string;
  /** The headers, with a new timestamp and new signatures. */
  headers: Record<string, string>;
  /** The exact body. */
  body: string;
}
