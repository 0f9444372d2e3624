import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';

/** The request of an attempt, which `makeAttempt` in `attempt.ts` builds. */
export interface AttemptRequest {
  url: string;
  headers: Record<string, string>;
  /** The envelope, byte for byte. */
  body: string;
  /** Default: the full time limit of an attempt. */
  timeoutMs?: number;
}

/** The part of a receiver's response that the server keeps. */
export interface ReceiverResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** `error` says why no complete response arrived in time. In this case, `response` is the part that arrived, if any. */
export type SendResult =
  | { response: ReceiverResponse; error?: undefined }
  | { response?: ReceiverResponse | undefined; error: string }
  | Shortage;

/** No request was sent, because this machine had run out of a resource. `shortage` is the system's error code. */
export interface Shortage {
  shortage: string;
}

/** `attempt` is the number of the attempt, starting at 1. */
export interface AttemptedDelivery extends Pick<DeliveryToSend, 'id' | 'endpointId' | 'workspaceId' | 'eventType'> {
  attempt: number;
}

/** Makes one POST request. Never rejects. */
export type SendAttempt = (request: AttemptRequest, delivery: AttemptedDelivery) => Promise<SendResult>;
