/** The clock in a message of the stream. */
export interface StreamClock {
  /** The virtual time. */
  now: string;
  /** How far the clock is ahead of the real time, in milliseconds. */
  offsetMs: number;
  /** Whether the clock stands still. */
  frozen: boolean;
  /** Whether a call is moving the clock. If so, `now` is the current step. */
  moving: boolean;
}

/** The first message of the stream. */
export interface HelloMessage {
  /** Identifies the process. */
  instanceId: string;
  /** Version of the package. */
  version: string;
  /** The virtual clock. */
  clock: StreamClock;
}

/** One message of the stream. */
export type StreamMessage =
  | {
      /** Comes first, and again after each connection. */
      event: 'hello';
      /** Which server this is, and its clock. */
      data: HelloMessage;
    }
  | {
      /** Comes at most every 250 ms. */
      event: 'changed';
      /** What may have changed. */
      data: ChangesMessage;
    };

/** What may have changed since the previous message. Null means that there are too many ids to list. */
export interface ChangesMessage {
  /** Changed deliveries, and how many changes there were. */
  deliveries?: {
    /** Ids of deliveries. */
    ids: string[] | null;
    /** How many changes. */
    count: number;
  };
  /** Ids of changed endpoints. */
  endpoints?: string[] | null;
  /** How many events were stored. */
  events?: number;
  /** How many requests were received. */
  requests?: number;
  /** Faults, or their counts. */
  faults?: true;
  /** Organizations, workspaces, users, roles or credentials. */
  tenants?: true;
  /** How many notifications were created. */
  notifications?: number;
  /** Profiles, evaluations or data sources. */
  lifecycle?: true;
  /** The virtual clock. */
  clock?: StreamClock;
  /** All data was wiped. */
  reset?: true;
}
