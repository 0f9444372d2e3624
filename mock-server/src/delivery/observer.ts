import type { AttemptOutcome } from '../domain/attempt-outcome.ts';

/**
 * The engine calls these methods to report what it does, for metrics. The methods must not throw, and must be fast,
 * because the engine calls them often.
 */
export interface DeliveryObserver {
  attemptStored(attempt: { outcome: AttemptOutcome; durationMs: number; deliveryId: string; endpointId: string }): void;
  /** Called after each stored batch of results, and after each take (see `queue/take.ts`). */
  roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number }): void;
  /** Called when another node or a reset has ended this node's session, which held `lanes` lanes. */
  leaseEnded(lanes: number): void;
  endpointDisabled(endpointId: string): void;
  /** Called when due deliveries have ended as `disabled`, without another attempt. */
  deliveriesDisabled?(): void;
}

export const NO_OBSERVER: DeliveryObserver = {
  attemptStored() {},
  roundEnded() {},
  leaseEnded() {},
  endpointDisabled() {},
};
