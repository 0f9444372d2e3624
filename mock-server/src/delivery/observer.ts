import type { AttemptOutcome } from '../domain/attempt-outcome.ts';

/** Receives data for metrics. The methods must not throw, and must be fast. */
export interface DeliveryObserver {
  attemptStored(attempt: { outcome: AttemptOutcome; durationMs: number; deliveryId: string; endpointId: string }): void;
  /** Called when a batch of results has been stored, or a take has ended. */
  roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number }): void;
  /** Called when another node or a reset has ended this node's session, which held `lanes` lanes. */
  lanesLost(lanes: number): void;
  endpointDisabled(endpointId: string): void;
  /** Called when due deliveries have ended as `disabled`. */
  deliveriesDisabled?(): void;
}

export const NO_OBSERVER: DeliveryObserver = {
  attemptStored() {},
  roundEnded() {},
  lanesLost() {},
  endpointDisabled() {},
};
