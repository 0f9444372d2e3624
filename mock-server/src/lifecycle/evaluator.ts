import type { Instant } from '../domain/instant.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import type { Logger } from '../runtime/logger.ts';
import { isPostgres } from '../storage/dialect.ts';
import {
  clearLifecycleLeases,
  countDueLifecycles,
  findNextLifecycleDueAfter,
  isLifecycleDue,
} from '../storage/statements/profiles/lifecycles.ts';
import type { VirtualClock } from '../time/clock.ts';
import { createDueWork } from './due-work.ts';
import { createLeases, LeaseLostError } from './leases.ts';
import type { LifecycleObserver } from './observer.ts';
import { createProcessing } from './process-due.ts';
import { createRequestedWork, type RequestedWork } from './requested-work.ts';
import type { CycleTools } from './run-cycle.ts';
import { createSlots } from './slots.ts';
import type { SyncTools } from './sync.ts';

/** The dependencies and settings of {@link startEvaluator}. */
export interface EvaluatorOptions extends CycleTools, SyncTools {
  clock: VirtualClock;
  logger: Logger;
  observer: LifecycleObserver;
  /** Whether this node runs work that becomes due, in addition to requested work. */
  evaluates: boolean;
}

/** Runs evaluations and syncs when they are due or requested. */
export interface Evaluator extends RequestedWork, AsyncDisposable {
  /** Call this when work may have become due. */
  wake(): void;
  evaluationsMade(): number;
  /** How many workspaces this node is working on. */
  inFlight(): number;
  /** Whether any work is due at an instant, on any node. Running work also counts as due. */
  isDue(at: Instant): Promise<boolean>;
  nextDueAfter(at: Instant): Promise<Instant | undefined>;
  /** How many workspaces are due. The count stops at 10,000. */
  countDue(): Promise<number>;
  /** Resolves to true when no work is due or running. Resolves to false if the signal is aborted first. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /** Stops all work, and resolves when no work is running. An interrupted evaluation starts again later. */
  pause(): Promise<void>;
  resume(): void;
  close(): Promise<void>;
}

/** How long a running evaluation may continue when the node closes. */
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
  const processing = createProcessing({ ...options, slots, wake: () => dueWork.wake() });
  const isShared = await storage.write(async (queries) => {
    if (!isPostgres(queries)) await clearLifecycleLeases(queries);
    return isPostgres(queries);
  });
  const canTake = () => options.evaluates && !isStopped();
  const { processDue } = processing;
  const dueWork = createDueWork({ ...options, slots, leases, isShared, canTake, processDue, report });
  const { wake } = dueWork;
  const requested = createRequestedWork({ storage, slots, leases, processing, isStopped, wake, report });

  function report(workspaceId: string, error: unknown): void {
    if (error instanceof LeaseLostError) {
      options.observer.leaseLost();
      logger.warn({ workspaceId }, 'another server has taken over the evaluation of a workspace');
    } else if (!stop.signal.aborted) {
      logger.error({ workspaceId, err: error }, 'cannot evaluate a workspace; trying again soon');
    }
  }

  const isQuiet = () => slots.isQuiet() && !dueWork.isLooking();

  /** Resolves to true if no work is due or running. */
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
    void dueWork.stop();
    if (!(await slots.until(isQuiet, AbortSignal.timeout(CLOSE_MS)))) stop.abort(new ClosingError());
    await slots.until(isQuiet, AbortSignal.timeout(CLOSE_MS));
    stop.abort(new ClosingError());
  }

  const evaluator: Evaluator = {
    wake,
    ...requested,
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
