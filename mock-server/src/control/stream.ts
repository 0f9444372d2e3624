/** The clock in a message of the stream. */
export interface StreamClock {
  now: string;
  /** How far the clock is ahead of the real time. */
  offsetMs: number;
  frozen: boolean;
  /** Whether a call is moving the clock. If so, `now` is the current step. */
  moving: boolean;
}

/** The first message of the stream. */
export interface HelloMessage {
  instanceId: string;
  version: string;
  clock: StreamClock;
}

/** What may have changed since the previous message. Null means that there are too many ids to list. */
export interface ChangesMessage {
  deliveries?: { ids: string[] | null; count: number };
  endpoints?: string[] | null;
  events?: number;
  requests?: number;
  faults?: true;
  tenants?: true;
  notifications?: number;
  /** Profiles, evaluations or data sources. */
  lifecycle?: true;
  clock?: StreamClock;
  reset?: true;
}
