import type { AttemptOutcome } from '../domain/attempt-outcome.ts';

/** Receives the engine's events, for metrics. The engine calls it often, so it must be fast and must not throw. */
export interface DeliveryObserver {
  /** An attempt was written back. */
  attemptWritten(attempt: {
    outcome: AttemptOutcome;
    durationMs: number;
    deliveryId: string;
    endpointId: string;
  }): void;
  /** One round of database work: results were written back, or lanes were claimed. */
  roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number }): void;
  /** Called when another node or a reset has ended the session of this node, which held this many lanes. */
  leaseEnded(lanes: number): void;
  /** An endpoint was disabled because its deliveries kept failing. */
  endpointDisabled(endpointId: string): void;
  /** Deliveries became `disabled` without a further attempt. */
  deliveriesDisabled?(): void;
}

/** Ignores all events. */
export const NO_OBSERVER: DeliveryObserver = {
  attemptWritten() {},
  roundEnded() {},
  leaseEnded() {},
  endpointDisabled() {},
};
