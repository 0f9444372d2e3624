import { formatDuration } from '../domain/duration.ts';
import type { Instant } from '../domain/instant.ts';
import type { ImportFormat } from '../domain/profiles/profile-import.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import { type CheckWrite, checkedWrites } from '../storage/checked-writes.ts';
import { isPostgres } from '../storage/dialect.ts';
import { DataReplacedError } from '../storage/port.ts';
import {
  countDueLifecycles,
  findNextLifecycleDueAfter,
  isLifecycleDue,
} from '../storage/statements/profiles/lifecycles.ts';
import { createDueWork, failsAgain, POSTPONED_MS } from './due-work.ts';
import { type ImportTools, importProfiles } from './import-profiles.ts';
import { createLeases, type HeldLease, LeaseLostError } from './leases.ts';
import { createProcessing } from './process-due.ts';
import type { LifecycleTools } from './tools.ts';
import { createWorkSlots } from './work-slots.ts';

export interface EvaluatorOptions extends LifecycleTools {
  /** Returns a check for work that the node itself starts. The check fails if all data is replaced after this call. */
  checkSameData(): CheckWrite;
  /** Whether this node runs work that becomes due, in addition to requested work. */
  evaluates: boolean;
  /**
   * Whether to run the due work of workspaces one after another, always in the same order. If so, evaluations and their
   * events get the same ids in every run with the same random seed.
   */
  isRepeatable?: boolean;
}

/** How long work may continue once the node is closing. Then the node aborts the work and waits this long again. */
const CLOSE_MS = 5_000;
const COUNT_MAX = 10_000;

export async function startEvaluator(given: EvaluatorOptions) {
  const options = { ...given, storage: checkedWrites(given.storage, given.checkSameData) };
  const { storage, clock } = options;
  const slots = createWorkSlots(options.isRepeatable);
  let stop = new AbortController();
  let isPaused = false;
  let isClosed = false;
  const leases = createLeases(storage, () => stop.signal);
  const isShared = await storage.read(async (queries) => isPostgres(queries));
  const report = (workspaceId: string, error: unknown) => reportFailure(options, workspaceId, error, stop.signal);
  const canTake = () => options.evaluates && !isPaused && !isClosed;
  const { processDue, evaluateNow, syncNow, evaluationsMade } = createProcessing(options);
  const dueWork = createDueWork({ ...options, slots, leases, isShared, canTake, processDue, report });
  const { wake } = dueWork;

  /**
   * Runs requested work. If another node takes over the workspace, runs the work again after that node has released it.
   *
   * @param check - Called when this node claims the workspace. Throws if the data was replaced after the request began.
   */
  async function onRequest<Result>(
    workspaceId: string,
    check: CheckWrite,
    work: (held: HeldLease) => Promise<Result>,
  ): Promise<Result> {
    if (isClosed) throw new ClosingError();
    if (isPaused) {
      // Wait for the new data, so that the caller can try again.
      await slots.until(() => !isPaused || isClosed);
      throw new DataReplacedError();
    }
    const checked = checkedWrites(given.storage, () => check);
    return await slots.count(() => leases.untilDone(workspaceId, checked, work, report)).finally(wake);
  }

  const isQuiet = () => slots.isQuiet() && !dueWork.isLooking();
  const isDue = (at: Instant) => storage.read((queries) => isLifecycleDue(queries, at));

  async function isIdle(): Promise<boolean> {
    if (slots.workspaces().length > 0) return false;
    if (!(await isDue(clock.now()))) return true;
    wake();
    return false;
  }

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    void dueWork.stop();
    await slots.until(isQuiet, AbortSignal.timeout(CLOSE_MS));
    stop.abort(new ClosingError());
    await slots.until(isQuiet, AbortSignal.timeout(CLOSE_MS));
  }

  wake();
  return {
    wake,
    /** @param check - Runs before each write that a request makes. */
    checkedBy: (check: CheckWrite) => ({
      wake,
      importProfiles: (workspaceId: string, chunks: AsyncIterable<Uint8Array>, format: ImportFormat) =>
        // Check before each batch: if a reset has removed the earlier batches, the next batch must fail.
        importProfiles(importTools(given, check), workspaceId, chunks, format).finally(wake),
      evaluate: (workspaceId: string) => onRequest(workspaceId, check, evaluateNow),
      /** Returns `undefined` if there is no source to read. */
      sync: (workspaceId: string) => onRequest(workspaceId, check, syncNow),
    }),
    evaluationsMade,
    inFlight: () => slots.workspaces().length,
    /** Whether any node has due work. Running work also counts as due. */
    isDue,
    nextDueAfter: (at: Instant) => storage.read((queries) => findNextLifecycleDueAfter(queries, at)),
    countDue: () => storage.read((queries) => countDueLifecycles(queries, clock.now(), COUNT_MAX)),
    /** Resolves to true once nothing is due or running, and to false after an abort or a close. */
    whenIdle: async (signal: AbortSignal) =>
      (await slots.until(async () => isClosed || (await isIdle()), signal)) && !isClosed,
    /** Stops all work because the data is about to be replaced. Resolves when no work is running. */
    async pause(): Promise<void> {
      if (isClosed) throw new ClosingError();
      isPaused = true;
      stop.abort(new DataReplacedError());
      await slots.until(isQuiet);
    },
    resume(): void {
      isPaused = false;
      if (isClosed) return;
      dueWork.endRests();
      stop = new AbortController();
      wake();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const importTools = ({ storage, ids, clock, metrics, changes }: EvaluatorOptions, check: CheckWrite): ImportTools => ({
  storage: checkedWrites(storage, () => check),
  ids,
  clock,
  onBatch(batch) {
    metrics.lifecycle.imported(batch);
    changes.mark({ lifecycle: true });
  },
});

function reportFailure(
  { logger, metrics }: EvaluatorOptions,
  workspaceId: string,
  error: unknown,
  stopped: AbortSignal,
): void {
  if (error instanceof DataReplacedError) {
    logger.info({ workspaceId }, 'stopped the work on a workspace, because all data is being replaced');
  } else if (error instanceof LeaseLostError) {
    metrics.lifecycle.leaseLost();
    logger.warn({ workspaceId }, 'another server has taken over the work on a workspace');
  } else if (!stopped.aborted) {
    const again = failsAgain(error) ? `in ${formatDuration(POSTPONED_MS)}` : 'soon';
    logger.error({ workspaceId, err: error }, `cannot evaluate or sync a workspace; trying again ${again}`);
  }
}
