/** The virtual clock. */
export interface ClockReading {
  /** The virtual time. */
  now: string;
  /** How far the clock is ahead of the real time, in milliseconds. */
  offsetMs: number;
  /** Whether the clock is frozen. */
  frozen: boolean;
}

/** One change of the clock: exactly one of the fields. */
export type ClockChange =
  | {
      /** Moves the clock by a duration: ISO 8601 such as `PT5M`, or `5m`, `12h`, `3d`. */
      advance: string;
    }
  | {
      /** Moves the clock to a time: ISO 8601 with `Z` or an offset. Never backwards. */
      set: string;
    }
  | {
      /** Stops the clock. */
      freeze: true;
    }
  | {
      /** Lets a frozen clock run again from its time. */
      resume: true;
    }
  | {
      /** Returns the clock to real time. */
      reset: true;
    };

/** The time after a change of the clock. */
export interface ClockChanged {
  /** The virtual time after the change. */
  now: string;
  /** The work that became due on the way and was done. */
  ran: {
    /** Attempts of deliveries. */
    attempts: number;
    /** Evaluations of profiles. */
    evaluations: number;
  };
}

/** How long to wait. */
export interface SettleInput {
  /** Real time in milliseconds, at most 600,000. Default: 30,000. */
  timeoutMs?: number | undefined;
}

/** The work that is left. Times are ISO 8601. */
export interface Settled {
  /** Whether nothing is due or in flight. */
  settled: boolean;
  /** Work that is due but not in flight on this server. It includes work that is in flight on another server. */
  pending: number;
  /** Attempts that are in flight on this server. */
  inFlight: number;
  /** When the next work is due. Null if there is none. */
  nextDueAt: string | null;
}

/** The deliveries to wait for: one delivery, or those of an event or an endpoint. */
export interface WaitInput {
  /** Waits for this delivery. */
  deliveryId?: string | undefined;
  /** Waits for the deliveries of this event. */
  eventId?: string | undefined;
  /** Waits for the newest 100 deliveries of this endpoint, or with `eventId` for the event's delivery to it. */
  endpointId?: string | undefined;
  /** The status to wait for. Default: any status except `pending`. */
  status?: DeliveryState | undefined;
  /** Real time in milliseconds, at most 600,000. After that, the call fails with 408. Default: 30,000. */
  timeoutMs?: number | undefined;
}

/** The status of a delivery. */
export type DeliveryState = 'pending' | 'success' | 'failed' | 'disabled';

/** A delivery at the end of a wait. */
export interface SeenDelivery {
  /** Id of the delivery. */
  id: string;
  /** The endpoint that receives it. */
  endpointId: string;
  /** The state of the delivery. */
  status: string;
  /** Finished attempts. */
  attempt: number;
}
