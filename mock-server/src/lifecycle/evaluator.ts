import type { Instant } from '../domain/instant.ts';
import type { DataSource, Sync } from '../domain/profiles/data-source.ts';
import type { EvaluationTrigger } from '../domain/profiles/evaluation.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import type { Logger } from '../runtime/logger.ts';
import { tracingEvaluation } from '../runtime/tracing.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import { isPostgres } from '../storage/dialect.ts';
import type { LifecycleTable } from '../storage/schema/profiles.ts';
import {
  claimDueLifecycles,
  clearLifecycleLeases,
  type LifecycleLease,
} from '../storage/statements/profiles/leases.ts';
import {
  countDueLifecycles,
  findLifecycle,
  findNextLifecycleDueAfter,
  isLifecycleDue,
  lockLifecycle,
  saveLifecycle,
} from '../storage/statements/profiles/lifecycles.ts';
import { hasProfiles } from '../storage/statements/profiles/write.ts';
import type { VirtualClock } from '../time/clock.ts';
import { createLeases, type HeldLease, LEASE_MS, LeaseLostError } from './leases.ts';
import { createMoveBudget } from './move-budget.ts';
import type { LifecycleObserver } from './observer.ts';
import { beginCycle, type CycleTools, type FinishedCycle, lockHeld, runCycle } from './run-cycle.ts';
import { runSync, type SyncTools } from './sync.ts';

/** The parts and settings of the evaluator. */
export interface EvaluatorOptions extends CycleTools, SyncTools {
  clock: VirtualClock;
  logger: Logger;
  observer: LifecycleObserver;
  /** Whether this node runs due work without a request. */
  evaluates: boolean;
}

/** Runs evaluations and syncs when they are due. */
export interface Evaluator extends AsyncDisposable {
  /** Something may have become due. */
  wake(): void;
  /** Evaluates a workspace now. Waits first if someone else works on it. */
  evaluate(workspaceId: string): Promise<FinishedCycle>;
  /** Reads a workspace's data source now. */
  sync(workspaceId: string, source: Exclude<DataSource, { kind: 'push' }>): Promise<Sync>;
  evaluationsMade(): number;
  /** How many workspaces this node works on. */
  inFlight(): number;
  /** Whether anything is due at an instant, running or not, on any node. */
  isDue(at: Instant): Promise<boolean>;
  nextDueAfter(at: Instant): Promise<Instant | undefined>;
  /** How many workspaces are due. The count stops at 10,000. */
  countDue(): Promise<number>;
  /** Resolves to true when nothing is due or running. Resolves to false if the signal is aborted first. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /** Stops, and resolves when nothing is running. An interrupted cycle starts again later. */
  pause(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}

/**
 * The most workspaces that one node works on at a time. A sync waits for somebody else's server, so it uses no slot of
 * an evaluation. An evaluation after a sync moves to a slot of an evaluation.
 */
const SLOTS = { evaluation: 4, sync: 8 } as const;
type Work = keyof typeof SLOTS;
/** How often to look for work of other nodes, and for work whose pause after a failure has ended. */
const POLL_MS = 1_000;
/** How often to look while someone waits for other nodes. */
const IDLE_LOOK_MS = 10;
/** How long a cycle may continue when the node closes. */
const CLOSE_MS = 5_000;
const COUNT_MAX = 10_000;

export async function startEvaluator(options: EvaluatorOptions): Promise<Evaluator> {
  const { storage, clock, logger, observer, evaluates } = options;
  const running = new Map<string, Work>();
  const listeners = new Set<() => void>();
  let stop = new AbortController();
  let isPaused = false;
  let isClosed = false;
  let made = 0;
  let underWay = 0;
  const leases = createLeases(storage, () => stop.signal);
  const moveBudget = createMoveBudget(options.sourceRules.readMaxMs);
  const shares = await storage.write(async (queries) => {
    if (!isPostgres(queries)) await clearLifecycleLeases(queries);
    return isPostgres(queries);
  });

  const isStopped = () => isPaused || isClosed;
  const looks = createWorkLoop({
    run: look,
    failed: (error) => logger.warn({ err: error }, 'cannot look for evaluations that are due'),
  });
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };

  /** Counts all running work, so that closing waits for it. */
  async function counted<Result>(work: () => Promise<Result>): Promise<Result> {
    underWay++;
    try {
      return await work();
    } finally {
      underWay--;
      tell();
    }
  }

  async function cycle(held: HeldLease, trigger: EvaluationTrigger): Promise<FinishedCycle> {
    const begun = await beginCycle(options, held, trigger);
    const startedAt = performance.now();
    return await tracingEvaluation(begun, async () => {
      const row = await storage.read((queries) => findLifecycle(queries, held.workspaceId));
      const sync = row && isDueAt(row.next_sync_at) ? await syncDue(held, row) : undefined;
      if (running.get(held.workspaceId) === 'sync') await takeEvaluationSlot(held);
      const finished = await runCycle(options, held, begun, sync?.error ?? null);
      made++;
      const { evaluation } = finished;
      const durationMs = performance.now() - startedAt;
      observer.evaluated({
        trigger: evaluation.trigger,
        profiles: evaluation.profiles,
        changed: evaluation.changed,
        durationMs,
      });
      const { id, workspaceId, profiles, changed, syncError } = evaluation;
      const about = { evaluationId: id, workspaceId, trigger: evaluation.trigger, profiles, changed, syncError };
      logger.info({ ...about, ms: Math.round(durationMs) }, 'evaluated a workspace');
      return finished;
    });
  }

  async function syncDue(held: HeldLease, row: LifecycleTable): Promise<Sync | undefined> {
    const source = row.source === null ? undefined : (JSON.parse(row.source) as DataSource);
    // It may have become due after the claim.
    if (running.has(held.workspaceId)) running.set(held.workspaceId, 'sync');
    if (source?.kind === 'ndjson') return await sync(held, source);
    await forget(held, { next_sync_at: null });
    return undefined;
  }

  /** Moves a workspace from the slot of its sync to a slot of an evaluation, once one is free. */
  async function takeEvaluationSlot({ workspaceId, signal }: HeldLease): Promise<void> {
    const take = () => {
      const isFree = freeSlots('evaluation') > 0;
      if (isFree) running.set(workspaceId, 'evaluation');
      return isFree;
    };
    if (!(await until(take, signal))) signal.throwIfAborted();
    wake();
  }

  async function sync(held: HeldLease, source: Exclude<DataSource, { kind: 'push' }>): Promise<Sync> {
    const done = await runSync({ ...options, moveBudget }, held, source);
    observer.synced({ isFailed: done.error !== null });
    const about = { workspaceId: held.workspaceId, upserted: done.upserted, rejected: done.rejected };
    if (done.error === null) logger.info(about, 'read a data source');
    else logger.warn({ ...about, error: done.error }, 'cannot read a data source');
    return done;
  }

  const freeSlots = (work: Work) => SLOTS[work] - [...running.values()].filter((one) => one === work).length;

  const isDueAt = (at: Instant | null) => at !== null && at <= clock.now();

  /** Runs the due work of a workspace. */
  async function process(held: HeldLease): Promise<void> {
    const row = await storage.read((queries) => findLifecycle(queries, held.workspaceId));
    if (!row) return;
    if (row.cycle_id !== null) await cycle(held, row.cycle_trigger as EvaluationTrigger);
    else if (isDueAt(row.next_evaluation_at)) {
      if (await storage.read((queries) => hasProfiles(queries, held.workspaceId)))
        await cycle(held, row.next_trigger as EvaluationTrigger);
      // A workspace without profiles is evaluated only on request.
      else await forget(held, { next_evaluation_at: null });
    } else if (isDueAt(row.next_sync_at)) await syncDue(held, row);
    else await forget(held, {});
  }

  /** Takes back what is due. An imported row may say that work is due which does not exist. */
  const forget = (held: HeldLease, change: Partial<LifecycleTable>) =>
    storage.write(async (queries) => {
      const row = await lockHeld(queries, held);
      await saveLifecycle(queries, { ...row, ...change });
    });

  async function start(lease: LifecycleLease, work: Work): Promise<void> {
    running.set(lease.workspaceId, work);
    let failed = false;
    try {
      await counted(() => leases.keep(lease, process));
    } catch (error) {
      failed = true;
      report(lease.workspaceId, error);
    } finally {
      running.delete(lease.workspaceId);
      tell();
      if (failed) looks.requestIn(POLL_MS);
      else wake();
    }
  }

  function report(workspaceId: string, error: unknown): void {
    if (error instanceof LeaseLostError) {
      observer.leaseLost();
      logger.warn({ workspaceId }, 'another server has taken over the evaluation of a workspace');
    } else if (!stop.signal.aborted) {
      logger.error({ workspaceId, err: error }, 'cannot evaluate a workspace; trying again');
    }
  }

  /** Claims due work, as much as this node has room for, and sets the timer for later work. */
  async function look(): Promise<void> {
    if (isStopped()) return;
    const now = clock.now();
    // Most looks find nothing, and a read blocks nobody.
    if (await storage.read((queries) => isLifecycleDue(queries, now))) {
      const outcomes = [await claim('evaluation', now), await claim('sync', now)];
      if (outcomes.every((outcome) => outcome === 'none')) return looks.requestIn(POLL_MS);
    }
    await setTimer(now);
  }

  /** Claims and starts as much of one kind of work as there is room for. The end of each work causes another look. */
  async function claim(work: Work, now: Instant): Promise<'none' | 'some' | 'full'> {
    const limit = freeSlots(work);
    if (limit <= 0) return 'full';
    const order = { work, now, leaseMs: LEASE_MS, limit, except: [...running.keys()] };
    const claimed = await storage.write((queries) => claimDueLifecycles(queries, order));
    for (const lease of claimed) void start(lease, work);
    return claimed.length === 0 ? 'none' : 'some';
  }

  async function setTimer(now: Instant): Promise<void> {
    const next = clock.isStill() ? undefined : await storage.read((queries) => findNextLifecycleDueAfter(queries, now));
    const waitMs = next === undefined ? undefined : Math.max(0, next - clock.now());
    if (shares) looks.requestIn(Math.min(POLL_MS, waitMs ?? POLL_MS));
    else if (waitMs !== undefined) looks.requestIn(waitMs);
  }

  function wake(): void {
    if (evaluates && !isStopped()) looks.request();
  }

  /** Resolves to true once `test` is true. Checks it when something ends here, and at intervals. */
  async function until(test: () => Promise<boolean> | boolean, signal: AbortSignal): Promise<boolean> {
    for (;;) {
      if (await test()) return true;
      if (signal.aborted) return false;
      const changed = Promise.withResolvers<void>();
      listeners.add(changed.resolve);
      signal.addEventListener('abort', changed.resolve as () => void);
      const look = setTimeout(changed.resolve, IDLE_LOOK_MS);
      await changed.promise;
      clearTimeout(look);
      listeners.delete(changed.resolve);
      signal.removeEventListener('abort', changed.resolve as () => void);
    }
  }

  const isQuiet = () => underWay === 0 && !looks.isRunning();

  /**
   * Runs requested work on the node that received the request. If the lease is lost, waits for the other node and runs
   * the work again.
   */
  async function onRequest<Result>(workspaceId: string, work: (held: HeldLease) => Promise<Result>): Promise<Result> {
    if (isStopped()) throw new ClosingError();
    return await counted(async () => {
      // A workspace without profiles has no row yet.
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
  }

  const evaluator: Evaluator = {
    wake,
    async evaluate(workspaceId) {
      const finished = await onRequest(workspaceId, async (held) => {
        const row = await storage.read((queries) => findLifecycle(queries, workspaceId));
        // First finish a cycle that a dead node left. It does not belong to this request.
        if (row?.cycle_id) await cycle(held, row.cycle_trigger as EvaluationTrigger);
        return await cycle(held, 'request');
      });
      wake();
      return finished;
    },
    async sync(workspaceId, source) {
      const done = await onRequest(workspaceId, (held) => sync(held, source));
      wake();
      return done;
    },
    evaluationsMade: () => made,
    inFlight: () => running.size,
    isDue: (at) => storage.read((queries) => isLifecycleDue(queries, at)),
    nextDueAfter: (at) => storage.read((queries) => findNextLifecycleDueAfter(queries, at)),
    countDue: () => storage.read((queries) => countDueLifecycles(queries, clock.now(), COUNT_MAX)),
    async whenIdle(signal) {
      return await until(async () => {
        if (running.size > 0) return false;
        if (!(await evaluator.isDue(clock.now()))) return true;
        wake();
        return false;
      }, signal);
    },
    async pause() {
      if (isClosed) throw new ClosingError();
      isPaused = true;
      stop.abort(new ClosingError());
      await until(isQuiet, new AbortController().signal);
    },
    resume() {
      isPaused = false;
      if (isClosed) return;
      stop = new AbortController();
      wake();
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      void looks.stop();
      if (!(await until(isQuiet, AbortSignal.timeout(CLOSE_MS)))) stop.abort(new ClosingError());
      await until(isQuiet, AbortSignal.timeout(CLOSE_MS));
      stop.abort(new ClosingError());
    },
    [Symbol.asyncDispose]: () => evaluator.close(),
  };
  wake();
  return evaluator;
}
