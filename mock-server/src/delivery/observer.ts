import type { DeliveryTransition } from '../domain/delivery-transition.ts';

/** Hears what the engine does, for metrics. Called often: it must be quick and must not throw. */
export interface DeliveryObserver {
  /** An attempt ended, and left its delivery so. */
  attemptEnded(attempt: { outcome: DeliveryTransition['status']; durationMs: number }): void;
  /** One exchange with the database: results written back, lanes claimed. */
  roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number; leasesLost: number }): void;
  /** An endpoint was disabled because its deliveries failed. */
  endpointDisabled(): void;
}

/** Looks away. */
export const NO_OBSERVER: DeliveryObserver = { attemptEnded() {}, roundEnded() {}, endpointDisabled() {} };
