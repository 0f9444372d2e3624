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
  /** Runs before each write of a request. */
  check: CheckWrite;
}

export function createLifecycle({ evaluator, observer, check, ...options }: LifecycleOptions) {
  const storage = checkedWrites(options.storage, () => check);
  const tools = { ...options, storage, onBatch: observer.imported };
  return {
    async importProfiles(workspaceId: string, chunks: AsyncIterable<Uint8Array>, format: ImportFormat) {
      // If a reset removes the earlier batches, the next batch must fail.
      const result = await importProfiles(tools, workspaceId, chunks, format);
      evaluator.wake();
      return result;
    },
    async evaluate(workspaceId: string) {
      const { evaluation, event } = await evaluator.evaluate(workspaceId, check);
      return { evaluation, event: JSON.parse(envelopeOf(event)) };
    },
    sync: (workspaceId: string) => evaluator.sync(workspaceId, check),
    wake: evaluator.wake,
  };
}
