import { envelopeOf } from '../domain/event-envelope.ts';
import type { Clock } from '../domain/instant.ts';
import type { ImportFormat } from '../domain/profiles/profile-import.ts';
import type { Ids } from '../runtime/ids.ts';
import { type CheckWrite, checkedWrites } from '../storage/checked-writes.ts';
import type { Storage } from '../storage/port.ts';
import type { Evaluator } from './evaluator.ts';
import { importProfiles } from './import-profiles.ts';
import type { LifecycleObserver } from './observer.ts';

export interface LifecycleOptions {
  storage: Storage;
  ids: Ids;
  clock: Clock;
  evaluator: Pick<Evaluator, 'evaluate' | 'sync' | 'wake'>;
  observer: Pick<LifecycleObserver, 'imported'>;
  /** As in `time/shared-clock.ts`. */
  checkSameData: () => CheckWrite;
}

/** Profiles, data sources and evaluations, for the HTTP side. */
export function createLifecycle({ evaluator, observer, checkSameData, ...options }: LifecycleOptions) {
  const tools = { ...options, onBatch: observer.imported };
  return {
    async importProfiles(workspaceId: string, chunks: AsyncIterable<Uint8Array>, format: ImportFormat) {
      // One check for the whole import: after a reset, its first batches are gone.
      const check = checkSameData();
      const storage = checkedWrites(options.storage, () => check);
      const result = await importProfiles({ ...tools, storage }, workspaceId, chunks, format);
      evaluator.wake();
      return result;
    },
    async evaluate(workspaceId: string) {
      const { evaluation, event } = await evaluator.evaluate(workspaceId);
      return { evaluation, event: JSON.parse(envelopeOf(event)) };
    },
    sync: evaluator.sync,
    wake: evaluator.wake,
  };
}
