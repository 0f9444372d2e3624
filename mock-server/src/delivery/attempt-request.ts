/** One signed POST, ready to go. */
export interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  /** The envelope, to the byte. */
  body: string;
  /** What is left of the time that an attempt may take; all of it unless told. */
  timeoutMs?: number;
}

/** A receiver's whole answer, cut to what is kept of it. */
export interface ReceiverAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * What a POST came to: an answer, whatever its status, the reason why there is none, or what this node lacked to make it.
 */
export type Exchange =
  | { answer: ReceiverAnswer }
  | {
      /** Short text for people, as the delivery shows it. */
      error: string;
    }
  | { shortage: string };

/** Which delivery a POST is for. */
export interface AttemptedDelivery {
  id: string;
  endpointId: string;
  workspaceId: string;
  eventType: string;
  /** 1 for the first. */
  attempt: number;
}

/** Makes one POST. Never rejects. */
export type SendAttempt = (request: AttemptRequest, delivery: AttemptedDelivery) => Promise<Exchange>;
