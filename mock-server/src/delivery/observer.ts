import type { DeliveryTransition } from '../domain/delivery-transition.ts';

/** What became of a delivery by an attempt; `late` is one whose lease was lost: it counts for nothing. */
export type AttemptOutcome = DeliveryTransition['status'] | 'late';

/** Hears what the engine does, for metrics. Called often: it must be quick and must not throw. */
export interface DeliveryObserver {
  /** An attempt was written back, and left its delivery so. */
  attemptWritten(attempt: { outcome: AttemptOutcome; durationMs: number }): void;
  /** One exchange with the database: results written back, lanes claimed. */
  roundEnded(round: { durationMs: number; attempts: number; lanesClaimed: number; leasesLost: number }): void;
  /** An endpoint was disabled because its deliveries failed. */
  endpointDisabled(): void;
}

/** Looks away. */
export const NO_OBSERVER: DeliveryObserver = { attemptWritten() {}, roundEnded() {}, endpointDisabled() {} };
