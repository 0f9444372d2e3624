import type { EXPLANATION_REASONS } from '../values.ts';
import type { DeliveryState } from './time.ts';

/** One attempt of a delivery, from the log. */
export interface LoggedAttempt {
  /** The number of the attempt. Starts at 1. */
  number: number;
  /** When the attempt started. */
  startedAt: string;
  /** When the attempt ended. */
  endedAt: string;
  /** What was sent. */
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
  /** What the receiver sent, or null if no response arrived. */
  response: {
    /** The HTTP status. */
    status: number;
    /** The headers as received. */
    headers: Record<string, string>;
    /** The body, at most 64 KiB. Null if it was not kept. */
    body: string | null;
  } | null;
  /** Duration in milliseconds. */
  responseTimeMs: number;
  /** Why it failed, in a few words. Null after a success. */
  error: string | null;
  /** Whether the attempt ended after the server had lost its lease. Such an attempt does not change the delivery. */
  late: boolean;
}

/** Why a delivery is in its state, and what comes next. */
export interface DeliveryExplanation {
  /** The reason, for programs. */
  reason: ExplanationReason;
  /** The reason and what comes next, for people. */
  sentence: string;
  /** The state of the delivery. */
  status: DeliveryState;
  /** Finished attempts. */
  attempt: number;
  /** Attempts that may still be made. 0 if there will be none. */
  attemptsLeft: number;
  /** When the next attempt is due. Null if none is scheduled. */
  nextAttemptAt: string | null;
  /** The endpoint that receives it. */
  endpoint: {
    /** Id of the endpoint. */
    id: string;
    /** Whether it receives deliveries. */
    active: boolean;
    /** Whether it was deleted. */
    deleted: boolean;
    /** Consecutive deliveries that ended as `failed`. */
    consecutiveFailures: number;
    /** How many more consecutive failures disable it. Null if it is inactive or deleted. */
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
  /** The endpoint that receives it. */
  endpointId: string;
  /** The state of the delivery. */
  status: string;
  /** Finished attempts. */
  attempt: number;
  /** When the delivery was queued. */
  createdAt: string;
}

/** The other deliveries of the same event to the same endpoint. */
export interface DeliveryReplays {
  /** The first delivery of the event. Null if it is the requested delivery, or if it was deleted. */
  original: EventDelivery | null;
  /** Deliveries among the newest 20 replays of the event, oldest first. */
  replays: EventDelivery[];
}

/** A delivery's request, signed with the real time of the call. */
export interface SignedNow {
  /** The URL of the endpoint. */
  url: string;
  /** The headers, with a new timestamp and new signatures. */
  headers: Record<string, string>;
  /** The exact body. */
  body: string;
}
