import type { Instant } from '../domain/instant.ts';
import { nextSyncAt, type ReadableSource, type Sync } from '../domain/profiles/data-source.ts';
import { ImportError, type ImportResult } from '../domain/profiles/profile-import.ts';
import { checkedWrites } from '../storage/checked-writes.ts';
import type { Storage } from '../storage/port.ts';
import type { LifecycleTable } from '../storage/schema/profiles.ts';
import { findLifecycle, saveLifecycle } from '../storage/statements/profiles/lifecycles.ts';
import { type ImportCounts, importProfiles } from './import-profiles.ts';
import type { HeldLease } from './leases.ts';
import { openSource } from './open-source.ts';
import { lockHeld } from './run-cycle.ts';
import type { LifecycleTools } from './tools.ts';

/** How often to check whether the workspace still has the source that is being read. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Returns a function that reads the source of a workspace. If the source cannot be read to its end, the result contains
 * the error. The profiles that were read before the error stay stored.
 */
export function createSync(tools: LifecycleTools) {
  const { clock, storage, logger, metrics, changes } = tools;
  const spend = createMoveBudget(tools.sourceRules.readMaxMs);

  return async (lease: HeldLease, source: ReadableSource): Promise<Sync> => {
    const { workspaceId } = lease;
    const startedAt = clock.now();
    const started = performance.now();
    const { result, error, isTooSlow } = await read(tools, lease, source);
    const { upserted, rejected, problems } = result;
    const target = clock.state.moving?.target;
    const isSpent = spend(workspaceId, performance.now() - started, target);
    // If the source was too slow, it must not delay this move of the clock a second time. So schedule the source's next
    // read as if this read had ended at the time to which the clock moves.
    const endedAt = isTooSlow || isSpent ? (target ?? clock.now()) : clock.now();
    const sync: Sync = {
      startedAt: new Date(startedAt).toISOString(),
      finishedAt: new Date(clock.now()).toISOString(),
      upserted,
      rejected,
      problems,
      error,
    };
    await storage.write(async (queries) => {
      const row = await lockHeld(queries, lease);
      // If the workspace now has a different source, drop the result of the old source.
      if (!isFrom(row, source)) return;
      const next = nextSyncAt(source, startedAt, endedAt);
      await saveLifecycle(queries, { ...row, last_sync: JSON.stringify(sync), next_sync_at: next });
    });
    metrics.lifecycle.synced({ isFailed: error !== null });
    changes.mark({ lifecycle: true });
    if (error === null) logger.info({ workspaceId, upserted, rejected }, 'read a data source');
    else logger.warn({ workspaceId, upserted, rejected, error }, 'cannot read a data source');
    return sync;
  };
}

/** Creates a function that adds up the real time of a source's reads and returns whether the total is too long. */
function createMoveBudget(maxMs: number) {
  /** How long each workspace's source has delayed the current move of the clock. */
  const spentMs = new Map<string, number>();
  /** The target of the move whose times are in `spentMs`. A different target means that a new move has begun. */
  let current: Instant | undefined;
  return (workspaceId: string, ms: number, target: Instant | undefined): boolean => {
    if (target !== current) spentMs.clear();
    current = target;
    if (target === undefined) return false;
    const total = (spentMs.get(workspaceId) ?? 0) + ms;
    spentMs.set(workspaceId, total);
    return total >= maxMs;
  };
}

const isFrom = (row: LifecycleTable, source: ReadableSource) => row.source === JSON.stringify(source);

const changedError = () => new ImportError('The data source was changed while the server was reading it.');

/** The signal is aborted once the source of the workspace has changed. */
function watchSource(storage: Pick<Storage, 'read'>, { workspaceId }: HeldLease, source: ReadableSource) {
  const changed = new AbortController();
  const timer = setInterval(async () => {
    // If the database read fails, leave the decision to the next check.
    const row = await storage.read((queries) => findLifecycle(queries, workspaceId)).catch(() => undefined);
    if (row && !isFrom(row, source)) changed.abort(changedError());
  }, CHECK_INTERVAL_MS);
  return { signal: changed.signal, [Symbol.dispose]: () => clearInterval(timer) };
}

async function read(tools: LifecycleTools, lease: HeldLease, source: ReadableSource) {
  const { location } = source;
  let result: ImportResult = { upserted: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, problems: [] };
  const onBatch = (batch: ImportCounts, soFar: ImportResult) => {
    tools.metrics.lifecycle.imported(batch);
    tools.changes.mark({ lifecycle: true });
    result = soFar;
  };
  try {
    if (source.imported) {
      throw new ImportError(
        `${location} is not read, because its path came from an import. To read the file, set the data source again.`,
      );
    }
    using watched = watchSource(tools.storage, lease, source);
    const stop = AbortSignal.any([lease.signal, watched.signal]);
    await using opened = await openSource(location, tools.sourceRules, { stop, owner: lease.workspaceId });
    const storage = checkedWrites(tools.storage, () => async (queries) => {
      if (!isFrom(await lockHeld(queries, lease), source)) throw changedError();
    });
    const { chunks, format } = opened;
    const imported = await importProfiles({ ...tools, storage, onBatch }, lease.workspaceId, chunks, format);
    return { result: imported, error: null, isTooSlow: false };
  } catch (error) {
    lease.signal.throwIfAborted();
    if (!(error instanceof ImportError)) throw error;
    return { result, error: error.message, isTooSlow: error.isTooSlow };
  }
}
