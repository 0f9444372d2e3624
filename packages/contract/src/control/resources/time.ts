/** The virtual clock. */
export interface ClockReading {
  /** The virtual time. */
  now: string;
  /** How far the clock is ahead of real time, in milliseconds. */
  offsetMs: number;
  /** Whether the clock is frozen. */
  frozen: boolean;
}

/** One change to the clock. Exactly one of the fields must be present. */
export type ClockChange =
  | {
      /**
       * Moves the clock forward by a duration, either in ISO 8601 (`PT5M`) or in the short form (`5m`, `12h` or `3d`).
       */
      advance: string;
    }
  | {
      /** Moves the clock forward to a time, in ISO 8601 with `Z` or an offset. The clock never moves backwards. */
      set: string;
    }
  | {
      /** Stops the clock. */
      freeze: true;
    }
  | {
      /** Lets a frozen clock run again, from its current time. */
      resume: true;
    }
  | {
      /** Returns the clock to real time. */
      reset: true;
    };

/** The virtual time after the clock has changed, and the work that was done during the change. */
export interface ClockChanged {
  /** The virtual time after the change. */
  now: string;
  /** The work that was done while the clock moved. The numbers include the work of other servers. */
  ran: {
    /** The number of delivery attempts. */
    attempts: number;
    /** The number of profile evaluations. */
    evaluations: number;
  };
}

/** The maximum time to wait. */
export interface SettleInput {
  /** The maximum real time to wait, in milliseconds, up to 600,000. Default: 30,000. */
  timeoutMs?: number | undefined;
}

/** The work that remains after the wait. Times are ISO 8601. */
export interface Settled {
  /** Whether nothing is due or in flight. */
  settled: boolean;
  /**
   * The number of due attempts and other due tasks that are not in flight on this server. Tasks in flight on another
   * server are included.
   */
  pending: number;
  /** The number of attempts that are in flight on this server. */
  inFlight: number;
  /** When work is next due. Null if no work is scheduled. */
  nextDueAt: string | null;
}

/** The deliveries to wait for: one delivery, or the deliveries of an event or an endpoint. */
export interface WaitInput {
  /** Waits for this delivery. */
  deliveryId?: string | undefined;
  /** Waits for the deliveries of this event. */
  eventId?: string | undefined;
  /**
   * Waits for the newest 100 deliveries to this endpoint. With `eventId`, waits only for the event's delivery to this
   * endpoint.
   */
  endpointId?: string | undefined;
  /** The status to wait for. Default: any status except `pending`. */
  status?: DeliveryState | undefined;
  /**
   * The maximum real time to wait, in milliseconds, up to 600,000. After this time, the call fails with 408. Default:
   * 30,000.
   */
  timeoutMs?: number | undefined;
}

/** The status of a delivery. */
export type DeliveryState = 'pending' | 'success' | 'failed' | 'disabled';

/** The state of a delivery at the end of the wait. */
export interface SeenDelivery {
  /** Id of the delivery. */
  id: string;
  /** The endpoint that receives the delivery. */
  endpointId: string;
  /** The state of the delivery. */
  status: string;
  /** The number of finished attempts. */
  attempt: number;
}
