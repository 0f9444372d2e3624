/** Tables of events, endpoints, their secrets and deliveries. Instants are milliseconds since the epoch; flags are 0 or 1; JSON is text. */
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
  /** The envelope, to the byte, as it is POSTed. */
  body: string;
  created_at: number;
  /** Of the span that accepted it (W3C Trace Context); null where nobody traced. */
  traceparent: string | null;
}

/** The synthetic event ids of replays: not listed, but they lead to the envelope that was sent. */
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
  /** Deliveries in a row that ended `failed`. */
  consecutive_failures: number;
  /** Since when the service has disabled it; null unless it has. */
  disabled_at: number | null;
  created_at: number;
  updated_at: number;
}

export interface SecretTable {
  id: string;
  endpoint_id: string;
  /** Of the derivation, hexadecimal. */
  salt: string;
  /** SHA-256 of the raw secret, hexadecimal. */
  hash: string;
  preview: string;
  /** A pinned secret, sealed with the master key; null for derived ones. */
  sealed: string | null;
  created_at: number;
  /** When it stops signing; null for the current one. */
  expires_at: number | null;
}

export interface DeliveryTable {
  id: string;
  workspace_id: string;
  endpoint_id: string;
  /** Shown; of a replay, synthetic. */
  event_id: string;
  /** The event whose body is sent. */
  payload_event_id: string;
  event_type: string;
  status: string;
  attempt: number;
  created_at: number;
  delivered_at: number | null;
  next_attempt_at: number | null;
  error: string | null;
  response_status: number | null;
  response_time_ms: number | null;
}

/** Each delivery that ended once more, under its status: what the lists by status are read from, save that of the pending. */
export interface DeliveryStatusTable {
  workspace_id: string;
  endpoint_id: string;
  status: string;
  delivery_id: string;
}

/** Every attempt, for the log and for the snapshot fields of its delivery. */
export interface AttemptTable {
  /** Bare ULID. */
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
  /** 1 where the result came back after its lease was lost: it moved nothing. */
  late: number;
}

/** A pending delivery's place in its endpoint's lane; the list of those pending is read from here. */
export interface QueueTable {
  delivery_id: string;
  workspace_id: string;
  endpoint_id: string;
  /** 0 for the first attempt, 1 for the others: first attempts go before a backlog of old retries. */
  retry: number;
  due_at: number;
}

/** One row per endpoint that ever had work: what the dispatcher claims. */
export interface LaneTable {
  endpoint_id: string;
  /** The earliest `due_at` in the lane, or null where it is empty. */
  head_due_at: number | null;
  /**
   * Where the lane stands in the line of those that wait: when its head fell due, or when it was last given back if
   * that was later, so that lanes with a backlog take turns; a minute before that where a first attempt waits. Null
   * where it is empty.
   */
  turn_at: number | null;
  /**
   * Fencing token: begins anywhere and rises with each claim; a result is accepted only under the token that it was
   * claimed with.
   */
  lease_token: number;
  /** When the claim ends, on the real clock; null while nobody holds the lane. */
  lease_until: number | null;
  /** The name of the node that made the latest claim; null where other nodes cannot see whether it is connected. */
  holder: string | null;
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

/** An email about a notification that is not sent yet. */
export interface NotificationEmailTable {
  notification_id: string;
  due_at: number;
  /** Attempts made so far. */
  attempt: number;
  /** Fencing token: rises with each claim. */
  lease_token: number;
  lease_until: number | null;
}
