import type { StoredSecret } from '../../domain/derive-secret.ts';

/* Instants are milliseconds since the epoch. Flags are 0 or 1. JSON values are stored as text. */

export interface EventTable {
  id: string;
  workspace_id: string;
  type: string;
  subject_type: string | null;
  subject_id: string | null;
  /** The envelope: exactly the bytes that a POST request sends as its body. */
  body: string;
  created_at: number;
  /** Identifies the span in which the event was accepted, in the format of W3C Trace Context. Null without tracing. */
  traceparent: string | null;
}

/** The synthetic event ids of replays. The list of events omits these ids. */
export interface ReplayedEventTable {
  id: string;
  workspace_id: string;
  original_event_id: string;
}

export interface EndpointTable {
  id: string;
  workspace_id: string;
  url: string;
  description: string | null;
  /** A JSON array of event type patterns. */
  subscribed_events: string;
  active: number;
  api_version: string;
  consecutive_failures: number;
  /** When the service disabled the endpoint. Null in all other cases, even if a user disabled the endpoint. */
  disabled_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface SecretTable extends StoredSecret {
  endpoint_id: string;
  created_at: number;
  /** When the secret stops signing deliveries. Null for the current secret. */
  expires_at: number | null;
}

/** The fixed part of a delivery. {@link QueueTable} contains the progress, and {@link EndTable} contains the result. */
export interface DeliveryTable {
  id: string;
  workspace_id: string;
  endpoint_id: string;
  /** The event id that the API shows. A replay has its own event id, which belongs to no stored event. */
  event_id: string;
  /** The event whose body is sent. */
  payload_event_id: string;
  event_type: string;
  created_at: number;
}

interface AttemptedTable {
  workspace_id: string;
  endpoint_id: string;
  delivery_id: string;
  attempt: number;
  /** Null if no response arrived. */
  response_status: number | null;
  /** Null before the first attempt. */
  response_time_ms: number | null;
  /** Null before the first attempt, and if the latest attempt succeeded. */
  error: string | null;
}

/** The place of a pending delivery in the queue. A delivery is pending if and only if it has a place. */
export interface QueueTable extends AttemptedTable {
  /** 0 for a first attempt, 1 for a retry. Most first attempts are chosen before retries: see `chooseDue`. */
  retry: number;
  due_at: number;
  payload_event_id: string;
}

/** A delivery has ended if and only if it has a row in this table. The row never changes. */
export interface EndTable extends AttemptedTable {
  /** `success`, `failed` or `disabled`. */
  status: string;
  /** When the last attempt ended. If the status is `disabled`, this is the time when the delivery became due. */
  ended_at: number;
}

export interface AttemptTable {
  /** A ULID without a prefix. */
  id: string;
  delivery_id: string;
  /** Starts at 1. */
  number: number;
  url: string;
  started_at: number;
  ended_at: number;
  request_headers: string;
  response_status: number | null;
  response_headers: string | null;
  response_body: string | null;
  response_time_ms: number;
  error: string | null;
  /** 1 if the result was late and therefore did not change the delivery. */
  late: number;
}

/** Each endpoint that ever had a pending delivery has a row, until the endpoint is deleted and its lane is empty. */
export interface LaneTable {
  endpoint_id: string;
  /**
   * Nodes claim free lanes in the order of their turns. A lane's turn is the time when its next delivery is due, or
   * when the lane was last released, whichever is later. So lanes with a backlog get their turns one after another. If
   * the next delivery waits for its first attempt, the turn is usually a minute earlier. Null if the lane is empty.
   */
  turn_at: number | null;
  /** The session that holds the lane. Null while the lane is free. */
  node: string | null;
}

/** A node holds lanes and stores results only while the row of its session exists. */
export interface NodeTable {
  /** Random. A node whose row was deleted starts a new session with another id. */
  id: string;
  /** How many times the node has renewed its session. If this number stops growing, other nodes end the session. */
  renewals: number;
}

export interface NotificationTable {
  id: string;
  user_id: string;
  workspace_id: string;
  type: string;
  endpoint_id: string | null;
  created_at: number;
}

export interface NotificationEmailTable {
  notification_id: string;
  due_at: number;
  /** The number of attempts made so far. */
  attempt: number;
  /** A fencing token: a new random number with each claim. */
  lease_token: number;
  lease_until: number | null;
}
