import type { DataSource, Sync } from '../domain/profiles/data-source.ts';
import type { EvaluationTrigger } from '../domain/profiles/evaluation.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import type { Storage } from '../storage/port.ts';
import { findLifecycle, lockLifecycle } from '../storage/statements/profiles/lifecycles.ts';
import { type HeldLease, LeaseLostError, type Leases } from './leases.ts';
import type { Processing } from './process-due.ts';
import type { FinishedCycle } from './run-cycle.ts';
import type { Slots } from './slots.ts';

/** The dependencies of {@link createRequestedWork}. */
export interface RequestedWorkOptions {
  storage: Storage;
  slots: Slots;
  leases: Leases;
  processing: Pick<Processing, 'cycle' | 'sync'>;
  isStopped(): boolean;
  /** Called when the work has ended, because other work may be due. */
  wake(): void;
  /** Called when another node has taken over a workspace. */
  report(workspaceId: string, error: LeaseLostError): void;
}

/** Runs the work that requests ask for, on the node that received the request. */
export interface RequestedWork {
  /** Evaluates a workspace now. If other work on the workspace is running, waits until that work ends. */
  evaluate(workspaceId: string): Promise<FinishedCycle>;
  /** Reads a workspace's data source now. */
  sync(workspaceId: string, source: Exclude<DataSource, { kind: 'push' }>): Promise<Sync>;
}

export function createRequestedWork(options: RequestedWorkOptions): RequestedWork {
  const { storage, slots, leases, processing, isStopped, wake, report } = options;

  /** Runs requested work. If the lease is lost, waits for the other node, then runs the work again. */
  async function onRequest<Result>(workspaceId: string, work: (held: HeldLease) => Promise<Result>): Promise<Result> {
    if (isStopped()) throw new ClosingError();
    const done = await slots.count(async () => {
      // A workspace without profiles has no row yet, so create the row.
      await storage.write((queries) => lockLifecycle(queries, workspaceId));
      for (;;) {
        try {
          return await leases.with(workspaceId, work);
        } catch (error) {
          if (!(error instanceof LeaseLostError)) throw error;
          report(workspaceId, error);
        }
      }
    });
    wake();
    return done;
  }

  async function evaluateNow(held: HeldLease): Promise<FinishedCycle> {
    const row = await storage.read((queries) => findLifecycle(queries, held.workspaceId));
    // First finish a cycle that a dead node left unfinished. That cycle does not belong to this request.
    if (row?.cycle_id) await processing.cycle(held, row.cycle_trigger as EvaluationTrigger);
    return await processing.cycle(held, 'request');
  }

  return {
    evaluate: (workspaceId) => onRequest(workspaceId, evaluateNow),
    sync: (workspaceId, source) => onRequest(workspaceId, (held) => processing.sync(held, source)),
  };
}
