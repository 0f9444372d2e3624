import type { EvaluationTrigger } from '../domain/profiles/evaluation.ts';

/** Hears what the lifecycle does. */
export interface LifecycleObserver {
  evaluated(evaluation: { trigger: EvaluationTrigger; profiles: number; changed: number; durationMs: number }): void;
  synced(sync: { isFailed: boolean }): void;
  imported(outcomes: { created: number; updated: number; unchanged: number; rejected: number }): void;
  /** Another node took a workspace over that this one was at. */
  leaseLost(): void;
}
