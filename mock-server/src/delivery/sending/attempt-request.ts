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

/** The result of a POST: a response of any status, up to what is kept of it, or why there is none. */
export type Exchange = { response: ReceiverResponse; error?: undefined } | FailedExchange | Shortage;

/** An exchange that ended before the part of the response that is kept had arrived. */
export interface FailedExchange {
  /** A short text for people, which the delivery shows. */
  error: string;
  /** The part of the response that arrived, if its head arrived. */
  response?: ReceiverResponse | undefined;
}

/** This node lacked a resource to connect, so nothing was sent. `shortage` is the system's code for the resource. */
export interface Shortage {
  shortage: string;
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
