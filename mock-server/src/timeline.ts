import type { Mover, NodeReport, SharedClock } from './fleet/shared-clock.ts';
import type { Ran, Timeline } from './http/services.ts';
import { type Instant, REAL_TIME, type VirtualClock } from './runtime/clock.ts';
import { ClosingError } from './runtime/closing-error.ts';
import type { Storage } from './storage/port.ts';
import { findLatestDeliveryId } from './storage/statements/find-latest-delivery-id.ts';
import { raiseIdLead } from './storage/statements/raise-id-lead.ts';

/** A kind of work that falls due at certain instants: deliveries, or evaluations and syncs. */
export interface DueWork {
  /** The role of the nodes that do it. */
  role: string;
  /** Resolves with true once nothing is due or in flight on any node, with false if the signal is aborted first. */
  whenIdle(signal: AbortSignal): Promise<boolean>;
  /** Whether anything is due before `at`, or at `at` and created no later than the delivery `upToId`. */
  isDue(at: Instant, upToId: string): Promise<boolean>;
  /** When the next work falls due after `at`; with `upToId`, only work of deliveries up to that one. */
  nextDueAfter(at: Instant, upToId?: string): Promise<Instant | undefined>;
}

/** What a timeline works with. */
export interface TimelineOptions {
  sharedClock: SharedClock;
  clock: VirtualClock;
  storage: Storage;
  work: readonly DueWork[];
  /** How many attempts and evaluations this node has finished. */
  report(): NodeReport;
  /** The roles of all nodes on the database, this one included. */
  roles(): Promise<ReadonlySet<string>>;
  settle: Timeline['settle'];
}

/**
 * How long an advance waits in total for work that others keep creating while it runs. After that it waits at each step
 * only for what was due when the step began, and only the retries of older deliveries have a step.
 */
const PATIENCE_MS = 500;
/** How often a step looks whether only newer work is left. */
const LOOK_INTERVAL_MS = 50;

/**
 * Moves the shared clock in steps: to the next instant at which something falls due, then on when everything due there is
 * done. Each step is saved first, so a crash leaves the clock at a step, never in the future of what is stored.
 */
export function createTimeline(options: TimelineOptions): Timeline {
  const { sharedClock, clock, storage, report } = options;

  async function advanceTo(target: Instant, mover: Mover): Promise<Ran> {
    const tally = createTally(report);
    const firstId = await storage.read(findLatestDeliveryId);
    let patienceMs = PATIENCE_MS;

    async function step(at: Instant): Promise<string> {
      const afterId = await storage.read(findLatestDeliveryId);
      tally.add(await mover.set({ ...clock.stateAt(at), moving: { at, afterId } }));
      return afterId;
    }

    /** Waits until all work is done that was due when the step to `at` began, and, while patience lasts, newer work too. */
    async function finish(work: readonly DueWork[], at: Instant, upToId: string): Promise<void> {
      let startedAt: number | undefined;
      let latestId = upToId;
      while (!(await runDue(options, work, { at, upToId: latestId }, mover.signal))) {
        // The first time, the work of this step is done. From then on, only newer work keeps it busy.
        if (startedAt !== undefined) patienceMs -= performance.now() - startedAt;
        if (patienceMs <= 0) return;
        startedAt = performance.now();
        latestId = await step(at);
      }
    }

    try {
      let at = clock.now();
      let upToId = await step(at);
      for (;;) {
        const work = await workDone(options);
        await finish(work, at, upToId);
        const next = await nextDueAfter(work, at, patienceMs > 0 ? undefined : firstId);
        if (next === undefined || next > target) break;
        at = next;
        upToId = await step(at);
      }
      tally.add(await mover.set(clock.stateAt(Math.max(target, at))));
      return tally.ran();
    } catch (error) {
      await mover.set(clock.stateAt(clock.now())).catch(() => {});
      throw error;
    }
  }

  return {
    advance: (targetFrom) => sharedClock.alone((mover) => advanceTo(targetFrom(clock.now()), mover)),
    freeze: () =>
      sharedClock.alone(async (mover) => {
        const at = clock.now();
        await mover.set({ ...clock.stateAt(at), frozenAt: at });
      }),
    reset: () =>
      sharedClock.alone(async (mover) => {
        const before = clock.now();
        await storage.write((queries) => raiseIdLead(queries, before - clock.realNow()));
        await mover.set(REAL_TIME);
      }),
    refresh: sharedClock.refresh,
    ensureCurrent: sharedClock.ensureCurrent,
    settle: options.settle,
  };
}

/** The kinds of work that some node does. Nobody waits for the others. */
async function workDone({ work, roles }: Pick<TimelineOptions, 'work' | 'roles'>): Promise<readonly DueWork[]> {
  const present = await roles();
  return work.filter(({ role }) => present.has(role));
}

/**
 * Waits until nothing is due at an instant: true. Or false, once all work up to `upToId` is done while newer work keeps
 * coming, or once no node does the work any more.
 */
async function runDue(
  options: Pick<TimelineOptions, 'work' | 'roles'>,
  work: readonly DueWork[],
  { at, upToId }: { at: Instant; upToId: string },
  lost: AbortSignal | undefined,
): Promise<boolean> {
  const stop = new AbortController();
  const signal = lost ? AbortSignal.any([lost, stop.signal]) : stop.signal;
  let isLooking = false;
  const look = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      if (!(await isDue(await workDone(options), at, upToId))) stop.abort();
    } catch {
      // The database is away. The next look may succeed.
    } finally {
      isLooking = false;
    }
  }, LOOK_INTERVAL_MS);
  try {
    const isIdle = await idle(work, at, signal);
    lost?.throwIfAborted();
    if (!isIdle && !stop.signal.aborted) throw new ClosingError();
    return isIdle;
  } finally {
    clearInterval(look);
  }
}

/** One kind of work may create another, so all are idle once nothing is due after each was. */
async function idle(work: readonly DueWork[], at: Instant, signal: AbortSignal): Promise<boolean> {
  do {
    for (const one of work) if (!(await one.whenIdle(signal))) return false;
  } while (work.length > 1 && (await isDue(work, at, LAST_ID)));
  return true;
}

/** Above every id. */
const LAST_ID = '~';

async function isDue(work: readonly DueWork[], at: Instant, upToId: string): Promise<boolean> {
  for (const one of work) if (await one.isDue(at, upToId)) return true;
  return false;
}

async function nextDueAfter(work: readonly DueWork[], at: Instant, upToId?: string): Promise<Instant | undefined> {
  const dues = await Promise.all(work.map((one) => one.nextDueAfter(at, upToId)));
  return dues.filter((due) => due !== undefined).sort((a, b) => a - b)[0];
}

/** Counts what all nodes finish while the clock is moved, by their reports at each step. */
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
      const ran = { attempts: 0, evaluations: 0 };
      for (const [node, { attempts, evaluations }] of last) {
        ran.attempts += attempts - (first.get(node)?.attempts ?? 0);
        ran.evaluations += evaluations - (first.get(node)?.evaluations ?? 0);
      }
      return ran;
    },
  };
}
