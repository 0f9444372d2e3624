import type { Instant } from '../domain/instant.ts';
import type { DataSource, Sync } from '../domain/profiles/data-source.ts';
import type { EvaluationTrigger } from '../domain/profiles/evaluation.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import type { Logger } from '../runtime/logger.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import { isPostgres } from '../storage/dialect.ts';
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
} from '../storage/statements/profiles/lifecycles.ts';
import type { VirtualClock } from '../time/clock.ts';
import { createLeases, type HeldLease, LEASE_MS, LeaseLostError } from './leases.ts';
import type { LifecycleObserver } from './observer.ts';
import { createProcessing } from './process-due.ts';
import type { CycleTools, FinishedCycle } from './run-cycle.ts';
import { createSlots, type Work } from './slots.ts';
import type { SyncTools } from './sync.ts';

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

/** How often to look for work of other nodes, and for work whose pause after a failure has ended. */
const POLL_MS = 1_000;
/** How long a cycle may continue when the node closes. */
const CLOSE_MS = 5_000;
const COUNT_MAX = 10_000;

export async function startEvaluator(options: EvaluatorOptions): Promise<Evaluator> {
  const { storage, clock, logger } = options;
  const slots = createSlots();
  let stop = new AbortController();
  let isPaused = false;
  let isClosed = false;
  const isStopped = () => isPaused || isClosed;
  const leases = createLeases(storage, () => stop.signal);
  const processing = createProcessing({ ...options, slots, wake });
  const shares = await storage.write(async (queries) => {
    if (!isPostgres(queries)) await clearLifecycleLeases(queries);
    return isPostgres(queries);
  });
  const looks = createWorkLoop({
    run: look,
    failed: (error) => logger.warn({ err: error }, 'cannot look for evaluations that are due'),
  });

  function wake(): void {
    if (options.evaluates && !isStopped()) looks.request();
  }

  /** Claims due work, as much as this node has room for, and sets the time of the next look. */
  async function look(): Promise<void> {
    if (isStopped()) return;
    const now = clock.now();
    // Most looks find nothing, and a read blocks nobody.
    if (await storage.read((queries) => isLifecycleDue(queries, now))) {
      const outcomes = [await claim('evaluation', now), await claim('sync', now)];
      if (outcomes.every((outcome) => outcome === 'none')) return looks.requestIn(POLL_MS);
    }
    const next = clock.isStill() ? undefined : await storage.read((queries) => findNextLifecycleDueAfter(queries, now));
    if (next !== undefined) looks.requestIn(next - clock.now());
    if (shares) looks.requestIn(POLL_MS);
  }

  /** Claims and starts as much of one kind of work as there is room for. The end of each work causes another look. */
  async function claim(work: Work, now: Instant): Promise<'none' | 'some' | 'full'> {
    const limit = slots.free(work);
    if (limit <= 0) return 'full';
    const order = { work, now, leaseMs: LEASE_MS, limit, except: slots.workspaces() };
    const claimed = await storage.write((queries) => claimDueLifecycles(queries, order));
    for (const lease of claimed) void start(lease, work);
    return claimed.length === 0 ? 'none' : 'some';
  }

  async function start(lease: LifecycleLease, work: Work): Promise<void> {
    try {
      await slots.run(lease.workspaceId, work, () => leases.keep(lease, processing.processDue));
      wake();
    } catch (error) {
      report(lease.workspaceId, error);
      looks.requestIn(POLL_MS);
    }
  }

  function report(workspaceId: string, error: unknown): void {
    if (error instanceof LeaseLostError) {
      options.observer.leaseLost();
      logger.warn({ workspaceId }, 'another server has taken over the evaluation of a workspace');
    } else if (!stop.signal.aborted) {
      logger.error({ workspaceId, err: error }, 'cannot evaluate a workspace; trying again');
    }
  }

  /**
   * Runs requested work on the node that received the request. If the lease is lost, waits for the other node and runs
   * the work again.
   */
  async function onRequest<Result>(workspaceId: string, work: (held: HeldLease) => Promise<Result>): Promise<Result> {
    if (isStopped()) throw new ClosingError();
    const done = await slots.count(async () => {
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
    wake();
    return done;
  }

  async function evaluateNow(held: HeldLease): Promise<FinishedCycle> {
    const row = await storage.read((queries) => findLifecycle(queries, held.workspaceId));
    // First finish a cycle that a dead node left. It does not belong to this request.
    if (row?.cycle_id) await processing.cycle(held, row.cycle_trigger as EvaluationTrigger);
    return await processing.cycle(held, 'request');
  }

  const isQuiet = () => slots.isQuiet() && !looks.isRunning();

  /** Resolves to true when nothing is due or running. */
  async function isIdle(): Promise<boolean> {
    if (slots.workspaces().length > 0) return false;
    if (!(await evaluator.isDue(clock.now()))) return true;
    wake();
    return false;
  }

  async function pause(): Promise<void> {
    if (isClosed) throw new ClosingError();
    isPaused = true;
    stop.abort(new ClosingError());
    await slots.until(isQuiet, new AbortController().signal);
  }

  function resume(): void {
    isPaused = false;
    if (isClosed) return;
    stop = new AbortController();
    wake();
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    void looks.stop();
    if (!(await slots.until(isQuiet, AbortSignal.timeout(CLOSE_MS)))) stop.abort(new ClosingError());
    await slots.until(isQuiet, AbortSignal.timeout(CLOSE_MS));
    stop.abort(new ClosingError());
  }

  const evaluator: Evaluator = {
    wake,
    evaluate: (workspaceId) => onRequest(workspaceId, evaluateNow),
    sync: (workspaceId, source) => onRequest(workspaceId, (held) => processing.sync(held, source)),
    evaluationsMade: processing.evaluationsMade,
    inFlight: () => slots.workspaces().length,
    isDue: (at) => storage.read((queries) => isLifecycleDue(queries, at)),
    nextDueAfter: (at) => storage.read((queries) => findNextLifecycleDueAfter(queries, at)),
    countDue: () => storage.read((queries) => countDueLifecycles(queries, clock.now(), COUNT_MAX)),
    whenIdle: (signal) => slots.until(isIdle, signal),
    pause,
    resume,
    close,
    [Symbol.asyncDispose]: close,
  };
  wake();
  return evaluator;
}
