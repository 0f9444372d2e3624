/** The state of an endpoint. */
export interface EndpointState {
  /** Id of the endpoint. */
  id: string;
  /** The workspace that owns it. */
  workspaceId: string;
  /** Whether it receives deliveries. */
  active: boolean;
  /** Consecutive deliveries that ended as `failed`. */
  consecutiveFailures: number;
  /** How many more consecutive failures disable it. Null if it is inactive. */
  failuresUntilDisabled: number | null;
  /** When the service disabled it because its deliveries failed. Null if the service did not. */
  disabledAt: string | null;
  /** When the next attempt of a delivery to it is due. Null if none is scheduled. */
  nextDueAt: string | null;
}

/** A signing secret of an endpoint, without its value. */
export interface EndpointSecret {
  /** Id of the secret. */
  id: string;
  /** A shortened form that is safe to show. */
  preview: string;
  /** When the secret was created. */
  createdAt: string;
  /** When it stops signing. Null for the current secret. */
  expiresAt: string | null;
  /** Whether it comes from a seed file. */
  pinned: boolean;
}

/** The state of one endpoint, with its secrets. */
export interface EndpointStateDetail extends EndpointState {
  /** Newest first. Expired secrets stay until the next rotation. */
  secrets: EndpointSecret[];
}

/** A delivery in a short list. */
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
  /** The latest 1,000. */
  deliveries: CompactDelivery[];
  /** Whether there are older deliveries. */
  truncated: boolean;
}
