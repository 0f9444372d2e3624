import type { AttemptOutcome } from '../domain/attempt-outcome.ts';

/**
 * Receives the engine's events, for metrics. The engine calls an observer often, so its methods must be fast and must
 * not throw.
 */
export interface DeliveryObserver {
  /** Called when the result of an attempt has been stored. */
  attemptStored(attempt: { outcome: AttemptOutcome; durationMs: number; deliveryId: string; endpointId: string }): void;
  /** Called after each batch of results is stored, and after each take. */
  roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number }): void;
  /**
   * Called when another node or a reset has ended this node's session. `lanes` is the number of lanes that the session
   * held.
   */
  leaseEnded(lanes: number): void;
  /** Called when an endpoint has been disabled because its deliveries kept failing. */
  endpointDisabled(endpointId: string): void;
  /** Called when due deliveries have ended as `disabled`, without another attempt. */
  deliveriesDisabled?(): void;
}

/** Ignores all events. */
export const NO_OBSERVER: DeliveryObserver = {
  attemptStored() {},
  roundEnded() {},
  leaseEnded() {},
  endpointDisabled() {},
};
