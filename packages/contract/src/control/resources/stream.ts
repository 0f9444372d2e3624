/** The virtual clock in the stream's messages. */
export interface StreamClock {
  /** The virtual time. */
  now: string;
  /** How far the clock is ahead of real time, in milliseconds. */
  offsetMs: number;
  /** Whether the clock is frozen. */
  frozen: boolean;
  /** Whether a call is moving the clock. While the clock moves, `now` is the time of the current step. */
  moving: boolean;
}

/** The first message of the stream. */
export interface HelloMessage {
  /** An id that changes when the server process starts again. */
  instanceId: string;
  /**
   * An id that changes when all data is replaced: by a reset, a restore, or a restart of a server without a database on
   * disk.
   */
  dataId: string;
  /** Version of the package. */
  version: string;
  /** The virtual clock. */
  clock: StreamClock;
}

/** One message of the stream. */
export type StreamMessage =
  | {
      /** The kind of message. Each connection begins with `hello`. `changed` is sent at most once every 250 ms. */
      event: 'hello';
      /** For `hello`: the server and its clock. For `changed`: the data that may have changed. */
      data: HelloMessage;
    }
  | {
      /** The kind of message. Each connection begins with `hello`. `changed` is sent at most once every 250 ms. */
      event: 'changed';
      /** For `hello`: the server and its clock. For `changed`: the data that may have changed. */
      data: ChangesMessage;
    };

/** The data that may have changed since the previous message. A list of ids is null if there are too many ids. */
export interface ChangesMessage {
  /** The deliveries that may have changed, and the number of changes. */
  deliveries?: {
    /** The ids of the deliveries. */
    ids: string[] | null;
    /** The number of changes. */
    count: number;
  };
  /** The ids of changed endpoints. */
  endpoints?: string[] | null;
  /** The number of events that were stored. */
  events?: number;
  /** The number of requests that were received. */
  requests?: number;
  /** Present if faults or their counts may have changed. */
  faults?: true;
  /** Present if organizations, workspaces, users, roles or credentials may have changed. */
  tenants?: true;
  /** The number of notifications that were created. */
  notifications?: number;
  /** Present if profiles, evaluations or data sources may have changed. */
  lifecycle?: true;
  /** The virtual clock. */
  clock?: StreamClock;
  /** Present if all data was replaced. */
  reset?: true;
}
