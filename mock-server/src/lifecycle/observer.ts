import type { EvaluationTrigger } from '../domain/profiles/evaluation.ts';
import type { ImportCounts } from './import-profiles.ts';

export interface LifecycleObserver {
  evaluated(evaluation: { trigger: EvaluationTrigger; profiles: number; changed: number; durationMs: number }): void;
  synced(sync: { isFailed: boolean }): void;
  imported(batch: ImportCounts): void;
  leaseLost(): void;
}
