/** An API key or a personal access token, without its text. */
export interface CredentialItem {
  id: string;
  kind: string;
  name: string | null;
  test: boolean;
  createdAt: string;
}

/** The state of an endpoint. */
export interface EndpointState {
  id: string;
  workspaceId: string;
  active: boolean;
  /** Consecutive deliveries that ended as `failed`. */
  consecutiveFailures: number;
  /** How many more disable it. Null if it is inactive. */
  failuresUntilDisabled: number | null;
  /** Since when the service has disabled it, because its deliveries failed; null unless it has. */
  disabledAt: string | null;
  /** When its next attempt is due. */
  nextDueAt: string | null;
}

/** A signing secret of an endpoint, without its value. */
export interface EndpointSecret {
  id: string;
  preview: string;
  createdAt: string;
  /** When it stops signing. Null for the current secret. */
  expiresAt: string | null;
  /** Whether it comes from a seed file. */
  pinned: boolean;
}

/** The state of one endpoint, with its secrets. */
export interface EndpointStateDetail extends EndpointState {
  /** Newest first. Expired ones stay until the next rotation. */
  secrets: EndpointSecret[];
}

/** A delivery in a short list. */
export interface CompactDelivery {
  id: string;
  status: string;
  createdAt: string;
}

/** An endpoint's latest deliveries, newest first. */
export interface EndpointActivity {
  deliveries: CompactDelivery[];
  /** Whether there are older ones. */
  truncated: boolean;
}

/** A delivery of an event to one endpoint. */
export interface EventDelivery {
  id: string;
  endpointId: string;
  status: string;
  attempt: number;
  createdAt: string;
}

/** The other deliveries of a delivery's event to the same endpoint, the oldest first. */
export interface DeliveryReplays {
  /** The one that came from the event itself; null if it is the delivery itself, or if it is gone. */
  original: EventDelivery | null;
  /** The newest 20. */
  replays: EventDelivery[];
}

/** A delivery's request, signed with the real time of the call. */
export interface SignedNow {
  url: string;
  headers: Record<string, string>;
  /** Byte for byte. */
  body: string;
}
