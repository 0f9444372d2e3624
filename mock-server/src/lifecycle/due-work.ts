import type { Instant } from '../domain/instant.ts';
import type { Logger } from '../runtime/logger.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import { DataReplacedError, type Storage } from '../storage/port.ts';
import {
  claimDueLifecycle,
  type DueLease,
  findNextLifecycleDueAfter,
  isLifecycleDue,
} from '../storage/statements/profiles/lifecycles.ts';
import type { VirtualClock } from '../time/clock.ts';
import { createCalendarRests } from './calendar-rests.ts';
import { LEASE_MS, type Leases } from './leases.ts';
import type { Processing } from './process-due.ts';
import type { Slots, Work } from './work-slots.ts';

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

/** How often to look for work that other nodes left or added, and for failed work that may be tried again. */
const POLL_MS = 1_000;

/**
 * Claims due work for all free slots of this node, and runs the work. `scheduleAfter` in `run-cycle.ts` decides when a
 * workspace is due again.
 */
export function createDueWork(options: DueWorkOptions) {
  const { storage, clock, logger, slots, leases, canTake } = options;
  const rests = createCalendarRests();
  const looks = createWorkLoop({
    run: look,
    failed(error) {
      // Do not log this error, because the next look for due work reads the new data.
      if (error instanceof DataReplacedError) return;
      logger.warn({ err: error }, 'cannot look for evaluations that are due');
    },
  });

  function wake(): void {
    if (canTake()) looks.request();
  }

  /** Claims due work, and decides when to look again. */
  async function look(): Promise<void> {
    if (!canTake()) return;
    const now = clock.now();
    // Look for due work before the claim: most looks find no work, and a read does not block other work.
    if (await storage.read((queries) => isLifecycleDue(queries, now))) {
      const outcomes = [await claim('evaluation', now), await claim('sync', now)];
      if (outcomes.every((outcome) => outcome === 'none')) return looks.requestIn(POLL_MS);
    }
    const next = clock.isStill() ? undefined : await storage.read((queries) => findNextLifecycleDueAfter(queries, now));
    if (next !== undefined) looks.requestIn(next - clock.now());
    if (options.isShared) looks.requestIn(POLL_MS);
  }

  /**
   * Claims and starts due work of one kind, until no slot is free or no work of this kind is due. When work ends, the
   * node looks for more work. Claims one workspace at a time: when an evaluation for a calendar change starts, the next
   * claim must skip the other calendar changes of the organization.
   */
  async function claim(work: Work, now: Instant): Promise<'none' | 'some' | 'full'> {
    let claimed: 'none' | 'some' = 'none';
    while (slots.free(work) > 0) {
      // While the clock moves, the node that moves it waits for all due work, so no work rests.
      const resting = rests.organizations({ includeResting: clock.state.moving === undefined });
      const order = { work, now, leaseMs: LEASE_MS, except: slots.workspaces(), resting };
      const lease = await storage.write((queries) => claimDueLifecycle(queries, order));
      if (!lease) return claimed;
      void start(lease, work);
      claimed = 'some';
    }
    return claimed === 'some' ? 'some' : 'full';
  }

  async function start(lease: DueLease, work: Work): Promise<void> {
    const ended = lease.trigger === 'calendar' ? rests.begin(lease.organizationId, wake) : undefined;
    let deliveries = 0;
    try {
      deliveries = await slots.run(lease.workspaceId, work, () => leases.keep(lease, options.processDue));
      wake();
    } catch (error) {
      options.report(lease.workspaceId, error);
      looks.requestIn(POLL_MS);
    } finally {
      ended?.(deliveries);
    }
  }

  return {
    /** Call this when work may have become due. */
    wake,
    isLooking: looks.isRunning,
    /** Ends all rests, because all data has been replaced. */
    endRests: rests.clear,
    /** Stops looking for work. Work that has already started continues. */
    stop: looks.stop,
  };
}
