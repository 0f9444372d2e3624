/** One signed POST, ready to send. */
export interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  /** The envelope, byte for byte. */
  body: string;
  /** Time left for this attempt. Default: the full time of an attempt. */
  timeoutMs?: number;
}

/** A receiver's response, cut to the part that is stored. */
export interface ReceiverResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * The result of a POST: a response with any status, cut to the part that is kept; a failure; or the resource that this
 * node lacked.
 */
export type Exchange = { response: ReceiverResponse; error?: undefined } | FailedExchange | { shortage: string };

/** An exchange that ended before the part of the response that is kept had arrived. */
export interface FailedExchange {
  /** A short text for people, which the delivery shows. */
  error: string;
  /** The part of the response that arrived, if its head arrived. */
  response?: ReceiverResponse | undefined;
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
