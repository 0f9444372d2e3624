/** The clock in a message of the stream. */
export interface StreamClock {
  /** The virtual time. */
  now: string;
  /** How far the clock is ahead of the real time, in milliseconds. */
  offsetMs: number;
  /** Whether the clock is frozen. */
  frozen: boolean;
  /** Whether a call is moving the clock. If so, `now` is the current step. */
  moving: boolean;
}

/** The first message of the stream. */
export interface HelloMessage {
  /** Identifies the process of the server. */
  instanceId: string;
  /** Version of the package. */
  version: string;
  /** The virtual clock. */
  clock: StreamClock;
}

/** One message of the stream. */
export type StreamMessage =
  | {
      /**
       * The kind of message. `hello` comes first, and again after each connection. `changed` comes at most every 250 ms.
       */
      event: 'hello';
      /** For `hello`: which server this is, and its clock. For `changed`: what may have changed. */
      data: HelloMessage;
    }
  | {
      /**
       * The kind of message. `hello` comes first, and again after each connection. `changed` comes at most every 250 ms.
       */
      event: 'changed';
      /** For `hello`: which server this is, and its clock. For `changed`: what may have changed. */
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
  /** Present if faults, or their counts, may have changed. */
  faults?: true;
  /** Present if organizations, workspaces, users, roles or credentials may have changed. */
  tenants?: true;
  /** How many notifications were created. */
  notifications?: number;
  /** Present if profiles, evaluations or data sources may have changed. */
  lifecycle?: true;
  /** The virtual clock. */
  clock?: StreamClock;
  /** Present if all data was replaced. */
  reset?: true;
}
