/**
 * Tables of events, endpoints, their secrets and deliveries. Instants are milliseconds since the epoch. Flags are 0 or
 * 1. JSON is text.
 */
export interface EventTypeTable {
  type: string;
  category: string;
  description: string;
}

export interface EventTable {
  id: string;
  workspace_id: string;
  type: string;
  subject_type: string | null;
  subject_id: string | null;
  /** The envelope, byte for byte as it is POSTed. */
  body: string;
  created_at: number;
  /** The trace context of the span that accepted it (W3C Trace Context). Null without tracing. */
  traceparent: string | null;
}

/** The synthetic event ids of replays. Synthetic ids are not listed, but identify the envelope that was sent. */
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
  /** JSON array of patterns. */
  subscribed_events: string;
  active: number;
  api_version: string;
  /** Consecutive deliveries that ended as `failed`. */
  consecutive_failures: number;
  /** When the service disabled the endpoint. Null if the service has not disabled it. */
  disabled_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface SecretTable {
  id: string;
  endpoint_id: string;
  /** Salt of the derivation, hexadecimal. */
  salt: string;
  /** SHA-256 of the raw secret, hexadecimal. */
  hash: string;
  preview: string;
  /** A secret from a seed, encrypted with the master key. Null for derived secrets. */
  sealed: string | null;
  created_at: number;
  /** When the secret stops signing. Null for the current secret. */
  expires_at: number | null;
}

/**
 * A delivery. Its row never changes: its progress is in {@link QueueTable}, and its final result in {@link EndTable}.
 */
export interface DeliveryTable {
  id: string;
  workspace_id: string;
  endpoint_id: string;
  /** The event id that the API shows. A replay has its own id, which no stored event has. */
  event_id: string;
  /** The event whose body is sent. */
  payload_event_id: string;
  event_type: string;
  created_at: number;
}

/** What is known about a delivery after its latest attempt. */
interface AttemptedTable {
  workspace_id: string;
  endpoint_id: string;
  delivery_id: string;
  /** Attempts made. */
  attempt: number;
  /** The status of the response to the latest attempt. Null without a response. */
  response_status: number | null;
  /** Null before the first attempt. */
  response_time_ms: number | null;
  /** Null if the latest attempt succeeded, and before the first one. */
  error: string | null;
}

/** The place of a pending delivery in its endpoint's lane. A delivery is pending if and only if it has a place. */
export interface QueueTable extends AttemptedTable {
  /** 0 for a first attempt, 1 for a retry. First attempts come before a backlog of old retries. */
  retry: number;
  due_at: number;
  /** The event whose body is sent. */
  payload_event_id: string;
}

/** The end of a delivery. A delivery has ended if and only if it has such a row. The row never changes. */
export interface EndTable extends AttemptedTable {
  /** `success`, `failed` or `disabled`. */
  status: string;
  /** When the last attempt ended. For `disabled`: when the delivery became due, while its endpoint was not active. */
  ended_at: number;
}

/** Every attempt, for the log and for the snapshot fields of its delivery. */
export interface AttemptTable {
  /** A bare ULID. */
  id: string;
  delivery_id: string;
  /** 1 to 11. */
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
  /** 1 if the result arrived after the lease was lost. Such an attempt changes nothing. */
  late: number;
}

/** One row for each endpoint that ever had work. The dispatcher claims these rows. */
export interface LaneTable {
  endpoint_id: string;
  /**
   * The lane's position in the line of waiting lanes: when its first delivery became due, or when the lane was last
   * released, whichever is later. So lanes with a backlog take turns. The position is a minute earlier if a first
   * attempt waits. Null if the lane is empty.
   */
  turn_at: number | null;
  /** The session of the node that holds the lane. Null while the lane is free. */
  node: string | null;
}

/**
 * The sessions of the nodes that deliver. A node holds lanes and stores results only while the row of its session
 * exists. If the row is deleted, all lanes of the session are free.
 */
export interface NodeTable {
  /** Random. A node whose row was deleted continues under another id. */
  id: string;
  /** How often the node has renewed its session. Other nodes watch this number. */
  renewals: number;
}

export interface NotificationTable {
  id: string;
  user_id: string;
  workspace_id: string;
  type: string;
  endpoint_id: string | null;
  created_at: number;
  read_at: number | null;
}

/** An email about a notification, not yet sent. */
export interface NotificationEmailTable {
  notification_id: string;
  due_at: number;
  /** Attempts so far. */
  attempt: number;
  /** A fencing token, increased by each claim. */
  lease_token: number;
  lease_until: number | null;
}
