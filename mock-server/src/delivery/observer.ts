/**
 * What an attempt came to: after `retry` its delivery is tried again, after `failed` not; `late` is one whose lease was
 * lost, and counts for nothing.
 */
export const ATTEMPT_OUTCOMES = ['success', 'retry', 'failed', 'late'] as const;

export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Hears what the engine does, for metrics. Called often: it must be quick and must not throw. */
export interface DeliveryObserver {
  /** An attempt was written back. */
  attemptWritten(attempt: {
    outcome: AttemptOutcome;
    durationMs: number;
    deliveryId: string;
    endpointId: string;
  }): void;
  /** One exchange with the database: results written back, lanes claimed. */
  roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number; leasesLost: number }): void;
  /** An endpoint was disabled because its deliveries failed. */
  endpointDisabled(endpointId: string): void;
  /** Deliveries became `disabled` without an attempt. */
  deliveriesDisabled?(): void;
}

/** Looks away. */
export const NO_OBSERVER: DeliveryObserver = {
  attemptWritten() {},
  roundEnded() {},
  endpointDisabled() {},
};
