/** One signed POST, ready to send. */
export interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  /** The envelope, byte for byte. */
  body: string;
  /** Time left for this attempt. Default: the full time of an attempt. */
  timeoutMs?: number;
}

/** A receiver's answer, cut to the part that is stored. */
export interface ReceiverAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The result of a POST: a whole answer of any status, a failure, or the resource that this node lacked. */
export type Exchange = { answer: ReceiverAnswer; error?: undefined } | FailedExchange | { shortage: string };

/** An exchange that ended before the whole answer arrived. */
export interface FailedExchange {
  /** A short text for people. The delivery shows it. */
  error: string;
  /** What arrived of the answer, if its head did. */
  answer?: ReceiverAnswer | undefined;
}

/** The delivery that a POST belongs to. */
export interface AttemptedDelivery {
  id: string;
  endpointId: string;
  workspaceId: string;
  eventType: string;
  /** Starts at 1. */
  attempt: number;
}

/** Makes one POST. Never rejects. */
export type SendAttempt = (request: AttemptRequest, delivery: AttemptedDelivery) => Promise<Exchange>;
