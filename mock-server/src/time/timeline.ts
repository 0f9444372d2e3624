import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import { earliest, type Instant } from '../domain/instant.ts';
import { ClosingError } from '../runtime/closing-error.ts';
import { createHealthWatch } from '../runtime/health-watch.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import { type Storage, StorageUnavailableError } from '../storage/port.ts';
import { findLatestDeliveryId } from '../storage/statements/deliveries/read.ts';
import type { ReadOnlyClock } from './clock.ts';
import type { DueWork } from './due-work.ts';
import type { Mover, NodeReport, SharedClock } from './shared-clock.ts';

type Ran = Omit<NodeReport, 'clockShowed'>;

export interface TimelineOptions {
  sharedClock: Pick<SharedClock, 'alone'>;
  clock: ReadOnlyClock;
  storage: Storage;
  /** `role`: the role of the nodes that do this work. */
  work: readonly (DueWork & { role: string })[];
  report(): NodeReport;
  roles(): Promise<ReadonlySet<string>>;
  unhealthyMaxMs?: number;
}

/**
 * How long an advance waits in total for work that API callers create during the advance. After this time, the advance
 * waits only for older work, and no longer stops at the due times of deliveries that were created during the advance.
 */
const PATIENCE_MS = 500;
const POLL_INTERVAL_MS = 50;
/** Each clock differs from the database's clock by at most a second, and a node gets a new state within a second. */
const SHOWED_LATER_MAX_MS = 3_000;

/**
 * Moves the shared clock in steps, each to the next instant at which work becomes due. A step is saved before its work
 * starts, and lasts until all work that is due at that instant is done.
 */
export function createTimeline(options: TimelineOptions) {
  const { sharedClock, clock, storage, report } = options;

  /** @param stateAtEnd - The clock's new state once all work up to `target` is done. */
  async function moveTo(target: Instant, mover: Mover, stateAtEnd = clock.stateAt.bind(clock)): Promise<Ran> {
    const tally = createTally(report);
    let hasBegun = false;
    const firstId = await storage.read(findLatestDeliveryId);
    let patienceMs = PATIENCE_MS;

    async function step(at: Instant): Promise<string> {
      const afterId = await storage.read(findLatestDeliveryId);
      tally.add(await mover.set({ ...clock.stateAt(at), moving: { at, afterId, target } }));
      return afterId;
    }

    /**
     * Waits for the work that was due when the step to `at` began. Until `patienceMs` is used up, also waits for work
     * that became due later.
     */
    async function finish(work: readonly DueWork[], at: Instant, upToId: string): Promise<void> {
      let startedAt: number | undefined;
      let latestId = upToId;
      while (!(await runDue(options, work, { at, upToId: latestId }, mover.signal))) {
        // The first wait is for the work of this step, so only later waits use up `patienceMs`.
        if (startedAt !== undefined) patienceMs -= performance.now() - startedAt;
        if (patienceMs <= 0) return;
        startedAt = performance.now();
        latestId = await step(at);
      }
    }

    try {
      let at: Instant;
      let next: Instant | undefined = clock.now();
      do {
        at = next;
        const upToId = await step(at);
        hasBegun = true;
        const work = await workDone(options);
        await finish(work, at, upToId);
        const nextUpToId = patienceMs > 0 ? undefined : firstId;
        next = earliest(...(await Promise.all(work.map((one) => one.nextDueAfter(at, nextUpToId)))));
      } while (next !== undefined && next <= target);
      tally.add(await mover.set(stateAtEnd(Math.max(target, at))));
      return tally.ran();
    } catch (error) {
      await mover.set(clock.stateAt(clock.now())).catch(() => {});
      if (error instanceof ClosingError && hasBegun) throw new ClosingError({ movedClock: true });
      if (!(error instanceof StorageUnavailableError) || !hasBegun) throw error;
      throw new StorageUnavailableError(error.message, { cause: error, outcome: 'moved' });
    }
  }

  const change = (next: () => ClockState, caller?: AbortSignal) =>
    sharedClock.alone(async (mover) => void (await mover.set(next())), caller);

  return {
    /**
     * Moves the clock to a target time. On the way, runs all work that becomes due, in order and at its due time.
     *
     * @param targetFrom - Returns the target for the clock's current time, which cannot change during this call.
     * @param caller - If `caller` is aborted while this call waits for other calls, the clock does not move.
     */
    set: (targetFrom: (now: number) => number, caller?: AbortSignal) =>
      sharedClock.alone((mover) => moveTo(targetFrom(clock.now()), mover), caller),
    /**
     * Moves the clock, as `set` does. A running clock also moves by the real time that passes during the move. So the
     * clock's lead over real time grows by exactly the distance from the start to the target.
     */
    advance: (targetFrom: (now: number) => number, caller?: AbortSignal) =>
      sharedClock.alone((mover) => {
        const { state } = clock;
        const from = clock.now();
        const target = targetFrom(from);
        return moveTo(target, mover, (at) => {
          const arrived = clock.stateAt(at);
          if (state.frozenAt !== null || arrived.frozenAt !== null) return arrived;
          // Use the larger offset: the real clock may have been set back, but the virtual clock must never go back.
          return { ...arrived, offsetMs: Math.max(arrived.offsetMs, state.offsetMs + target - from) };
        });
      }, caller),
    /**
     * Until a node has the new state, its requests create deliveries that are due at the time that its clock shows. So
     * the clock stops at the latest time that a node showed: otherwise, it would not reach these deliveries.
     */
    freeze: (caller?: AbortSignal) =>
      sharedClock.alone(async (mover) => {
        const wasRunning = clock.state.frozenAt === null;
        const others = await mover.set({ frozenAt: clock.now() });
        const own = report().clockShowed;
        const showed = [...others.values()].map(({ clockShowed }) => Math.min(clockShowed, own + SHOWED_LATER_MAX_MS));
        const latest = Math.max(own, ...showed);
        if (wasRunning && latest > clock.now()) await mover.set({ frozenAt: latest });
      }, caller),
    resume: (caller?: AbortSignal) =>
      change(() => ({ offsetMs: clock.now() - clock.realNow(), frozenAt: null }), caller),
    reset: (caller?: AbortSignal) => change(() => REAL_TIME, caller),
  };
}

/** Returns the kinds of work that at least one node does. */
async function workDone({ work, roles }: TimelineOptions): Promise<readonly DueWork[]> {
  const present = await roles();
  return work.filter(({ role }) => present.has(role));
}

/**
 * Waits until no work is due at `at`, and returns true. Returns false if the only work left is deliveries with ids
 * above `upToId`, and work that no node does.
 */
async function runDue(
  options: TimelineOptions,
  work: readonly DueWork[],
  { at, upToId }: { at: Instant; upToId: string },
  lost: AbortSignal | undefined,
): Promise<boolean> {
  const stop = new AbortController();
  const signal = lost ? AbortSignal.any([lost, stop.signal]) : stop.signal;
  const mayContinue = createHealthWatch(options.work, options.unhealthyMaxMs);
  const looking = createWorkLoop({
    async run() {
      if (!mayContinue()) return stop.abort();
      if (!(await isDue(await workDone(options), at, upToId))) stop.abort();
      looking.requestIn(POLL_INTERVAL_MS);
    },
    failed() {},
  });
  looking.requestIn(POLL_INTERVAL_MS);
  try {
    const isIdle = await idle(work, at, signal);
    lost?.throwIfAborted();
    if (!isIdle && !mayContinue())
      throw new StorageUnavailableError('The results of the work that is due cannot be stored in the database.');
    if (!isIdle && !stop.signal.aborted) throw new ClosingError();
    return isIdle;
  } finally {
    void looking.stop();
  }
}

/**
 * Waits until no work is due at `at`. One kind of work may create work of another kind, so this function checks all
 * kinds again at the end. Returns false if `signal` ended the wait.
 */
async function idle(work: readonly DueWork[], at: Instant, signal: AbortSignal): Promise<boolean> {
  do {
    for (const one of work) if (!(await one.whenIdle(signal))) return false;
  } while (work.length > 1 && (await isDue(work, at, LAST_ID)));
  return true;
}

/** A string that sorts after every id. */
const LAST_ID = '~';

async function isDue(work: readonly DueWork[], at: Instant, upToId: string): Promise<boolean> {
  for (const one of work) if (await one.isDue(at, upToId)) return true;
  return false;
}

/** Adds up the work that all nodes do while the clock moves. */
function createTally(own: () => NodeReport) {
  const first = new Map<string, NodeReport>([['', own()]]);
  const last = new Map(first);
  return {
    add(reports: ReadonlyMap<string, NodeReport>): void {
      for (const [node, report] of [...reports, ['', own()] as const]) {
        if (!first.has(node)) first.set(node, report);
        last.set(node, report);
      }
    },
    ran(): Ran {
      const countOf = (kind: keyof Ran) =>
        [...last].reduce((sum, [node, report]) => sum + report[kind] - (first.get(node)?.[kind] ?? 0), 0);
      return { attempts: countOf('attempts'), evaluations: countOf('evaluations') };
    },
  };
}
