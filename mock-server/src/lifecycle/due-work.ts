import type { Instant } from '../domain/instant.ts';
import type { Logger } from '../runtime/logger.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import type { Storage } from '../storage/port.ts';
import {
  claimDueLifecycles,
  findNextLifecycleDueAfter,
  isLifecycleDue,
  type LifecycleLease,
} from '../storage/statements/profiles/lifecycles.ts';
import type { VirtualClock } from '../time/clock.ts';
import { LEASE_MS, type Leases } from './leases.ts';
import type { Processing } from './process-due.ts';
import type { Slots, Work } from './slots.ts';

export interface DueWorkOptions extends Pick<Processing, 'processDue'> {
  storage: Storage;
  clock: VirtualClock;
  logger: Logger;
  slots: Slots;
  leases: Leases;
  /** Whether other nodes may use the database. */
  isShared: boolean;
  /** Whether this node may claim due work now. */
  canTake(): boolean;
  /** Called when the work on a workspace has failed. */
  report(workspaceId: string, error: unknown): void;
}

/** How often to look for work that other nodes left or added, and for work that failed and may be tried again. */
const POLL_MS = 1_000;

/**
 * Claims as much due work as this node has free slots for, and runs the work. `scheduleAfter` in `run-cycle.ts` decides
 * when a workspace is due again.
 */
export function createDueWork(options: DueWorkOptions) {
  const { storage, clock, logger, slots, leases, canTake } = options;
  const looks = createWorkLoop({
    run: look,
    failed: (error) => logger.warn({ err: error }, 'cannot look for evaluations that are due'),
  });

  function wake(): void {
    if (canTake()) looks.request();
  }

  /** Claims due work and sets the time of the next look. */
  async function look(): Promise<void> {
    if (!canTake()) return;
    const now = clock.now();
    // Read before claiming, because most looks find no work, and a read does not block other work.
    if (await storage.read((queries) => isLifecycleDue(queries, now))) {
      const outcomes = [await claim('evaluation', now), await claim('sync', now)];
      if (outcomes.every((outcome) => outcome === 'none')) return looks.requestIn(POLL_MS);
    }
    const next = clock.isStill() ? undefined : await storage.read((queries) => findNextLifecycleDueAfter(queries, now));
    if (next !== undefined) looks.requestIn(next - clock.now());
    if (options.isShared) looks.requestIn(POLL_MS);
  }

  /**
   * Claims and starts as much due work of one kind as there are free slots for. When work ends, the node looks for
   * more.
   */
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
      await slots.run(lease.workspaceId, work, () => leases.keep(lease, options.processDue));
      wake();
    } catch (error) {
      options.report(lease.workspaceId, error);
      looks.requestIn(POLL_MS);
    }
  }

  return {
    /** Call this when work may have become due. */
    wake,
    isLooking: looks.isRunning,
    /** Stops looking for work. Work that has already started continues. */
    stop: looks.stop,
  };
}
