import { envelopeOf } from '../domain/event-envelope.ts';
import type { Instant } from '../domain/instant.ts';
import { dataSourceOf, type Sync } from '../domain/profiles/data-source.ts';
import type { EvaluationTrigger } from '../domain/profiles/evaluation.ts';
import { tracingEvaluation } from '../runtime/tracing.ts';
import type { LifecycleTable } from '../storage/schema/profiles.ts';
import { findLifecycle, saveLifecycle } from '../storage/statements/profiles/lifecycles.ts';
import { hasProfiles } from '../storage/statements/profiles/states.ts';
import type { HeldLease } from './leases.ts';
import { beginCycle, type FinishedCycle, lockHeld, runCycle } from './run-cycle.ts';
import { createSync } from './sync.ts';
import type { LifecycleTools } from './tools.ts';
import type { Work } from './work-slots.ts';

export type Processing = ReturnType<typeof createProcessing>;

/** Callers of the returned functions must hold the lease of the workspace. */
export function createProcessing(tools: LifecycleTools) {
  const { storage, clock, logger, metrics, changes } = tools;
  const sync = createSync(tools);
  let made = 0;

  const isDue = (at: Instant | null) => at !== null && at <= clock.now();
  const findRow = ({ workspaceId }: HeldLease) => storage.read((queries) => findLifecycle(queries, workspaceId));

  /**
   * Does a workspace's due work. A due evaluation stays due until a due sync has ended and the sync's slot is free.
   *
   * @returns how many deliveries the work has caused.
   */
  async function processDue(held: HeldLease, work: Work): Promise<number> {
    const row = await findRow(held);
    if (!row) return 0;
    const isEvaluationDue = row.cycle_id !== null || isDue(row.next_evaluation_at);
    if (work === 'sync' && isDue(row.next_sync_at)) await syncDue(held, row);
    else if (!isEvaluationDue) await forget(held, {});
    else if (row.cycle_id !== null || (await storage.read((queries) => hasProfiles(queries, held.workspaceId))))
      return (await cycle(held, row.next_trigger, errorOfSync(row))).deliveries;
    // A workspace without profiles is evaluated only on request.
    else await forget(held, { next_evaluation_at: null });
    return 0;
  }

  async function cycle(held: HeldLease, trigger: EvaluationTrigger, syncError: string | null): Promise<FinishedCycle> {
    const begun = await beginCycle(tools, held, trigger);
    const startedAt = performance.now();
    return await tracingEvaluation(begun, async () => {
      const finished = await runCycle(tools, held, begun, syncError);
      const durationMs = performance.now() - startedAt;
      made++;
      const { id, workspaceId, profiles, changed } = finished.evaluation;
      metrics.lifecycle.evaluated({ trigger: begun.trigger, profiles, changed, durationMs });
      changes.mark({ lifecycle: true, events: 1, deliveries: 'many' });
      const about = { evaluationId: id, workspaceId, trigger: begun.trigger, profiles, changed, syncError };
      logger.info({ ...about, ms: Math.round(durationMs) }, 'evaluated a workspace');
      return finished;
    });
  }

  async function syncDue(held: HeldLease, row: LifecycleTable): Promise<Sync | undefined> {
    const source = dataSourceOf(row);
    if (source.kind === 'ndjson') return await sync(held, source);
    await forget(held, { next_sync_at: null });
    return undefined;
  }

  async function evaluateNow(held: HeldLease) {
    const row = await findRow(held);
    // First finish any cycle that another node left unfinished. The result of that cycle is not part of this request.
    if (row && row.cycle_id !== null) await cycle(held, row.next_trigger, errorOfSync(row));
    const sync = row && isDue(row.next_sync_at) ? await syncDue(held, row) : undefined;
    const { evaluation, event } = await cycle(held, 'request', sync?.error ?? null);
    return { evaluation, event: JSON.parse(envelopeOf(event)) };
  }

  async function syncNow(held: HeldLease): Promise<Sync | undefined> {
    const source = dataSourceOf(await findRow(held));
    return source.kind === 'push' ? undefined : await sync(held, source);
  }

  /** Stores the change and computes `due_at` again: an imported row may have a `due_at` although no work is due. */
  const forget = (held: HeldLease, change: Partial<LifecycleTable>) =>
    storage.write(async (queries) => {
      const row = await lockHeld(queries, held);
      await saveLifecycle(queries, { ...row, ...change });
    });

  return { processDue, evaluateNow, syncNow, evaluationsMade: () => made };
}

/** Returns the error of the sync that was due together with the evaluation. */
function errorOfSync({ last_sync, next_evaluation_at: due }: LifecycleTable): string | null {
  const sync = last_sync === null ? undefined : (JSON.parse(last_sync) as Sync);
  return sync && due !== null && Date.parse(sync.startedAt) >= due ? sync.error : null;
}
