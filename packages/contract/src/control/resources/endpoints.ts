/** The state of an endpoint. */
export interface EndpointState {
  /** Id of the endpoint. */
  id: string;
  /** The workspace that owns the endpoint. */
  workspaceId: string;
  /** Whether the endpoint receives deliveries. */
  active: boolean;
  /** The number of consecutive deliveries that ended as `failed`. */
  consecutiveFailures: number;
  /** The number of further consecutive failures that would disable the endpoint. Null if the endpoint is inactive. */
  failuresUntilDisabled: number | null;
  /**
   * When the service disabled the endpoint because its deliveries failed. Null if the service did not disable the
   * endpoint.
   */
  disabledAt: string | null;
  /** When the next attempt of a delivery to the endpoint is due. Null if no attempt is scheduled. */
  nextDueAt: string | null;
}

/** A signing secret of an endpoint, without its value. */
export interface EndpointSecret {
  /** Id of the secret. */
  id: string;
  /** The secret in a shortened form that is safe to show. */
  preview: string;
  /** When the secret was created. */
  createdAt: string;
  /** When the secret stops signing. Null for the current secret. */
  expiresAt: string | null;
  /** Whether the secret comes from a seed file. */
  pinned: boolean;
}

/** The state of one endpoint, with its secrets. */
export interface EndpointStateDetail extends EndpointState {
  /** The secrets of the endpoint, newest first. Expired secrets stay in the list until the next rotation. */
  secrets: EndpointSecret[];
}

/** A delivery with only its id, its status and its creation time. */
export interface CompactDelivery {
  /** Id of the delivery. */
  id: string;
  /** The state of the delivery. */
  status: string;
  /** When the delivery was queued. */
  createdAt: string;
}

/** An endpoint's latest deliveries, newest first. */
export interface EndpointActivity {
  /** The latest 1,000 deliveries. */
  deliveries: CompactDelivery[];
  /** Whether there are older deliveries. */
  truncated: boolean;
}
