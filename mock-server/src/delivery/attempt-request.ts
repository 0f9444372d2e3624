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

/** The result of a POST: an answer of any status, the reason there is none, or the resource that this node lacked. */
export type Exchange =
  | { answer: ReceiverAnswer }
  | {
      /** A short text for people. The delivery shows it. */
      error: string;
    }
  | { shortage: string };

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
