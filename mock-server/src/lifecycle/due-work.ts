import type { Instant } from '../domain/instant.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import { DataReplacedError } from '../storage/port.ts';
import {
  claimDueLifecycle,
  type DueLease,
  findNextLifecycleDueAfter,
  isLifecycleDue,
  postponeLifecycle,
} from '../storage/statements/profiles/lifecycles.ts';
import { createCalendarRests } from './calendar-rests.ts';
import { type HeldLease, LEASE_MS, type Leases } from './leases.ts';
import type { Processing } from './process-due.ts';
import type { LifecycleTools } from './tools.ts';
import type { Slots, Work } from './work-slots.ts';

export interface DueWorkOptions
  extends Pick<Processing, 'processDue'>,
    Pick<LifecycleTools, 'storage' | 'clock' | 'logger'> {
  slots: Slots;
  leases: Leases;
  isShared: boolean;
  /** Whether workspaces that are due at the same time are claimed in id order. This order makes claims slower. */
  isRepeatable?: boolean | undefined;
  canTake(): boolean;
  report(workspaceId: string, error: unknown): void;
}

/** How often to look for work of other nodes, work that waits until a rest ends, and failed work that needs a retry. */
const POLL_MS = 1_000;
/** How long work waits, on the virtual clock, after an error that a retry would not fix. */
export const POSTPONED_MS = 3_600_000;

/**
 * An error in the stored data or in the code occurs again on a retry. Work that failed with such an error waits for
 * {@link POSTPONED_MS}. Otherwise, a move of the clock would wait for this work forever.
 */
export const failsAgain = (error: unknown): boolean =>
  error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError;

export function createDueWork(options: DueWorkOptions) {
  const { storage, clock, logger, slots, leases, canTake, isRepeatable } = options;
  const rests = createCalendarRests();
  const looks = createWorkLoop({
    run: look,
    failed(error) {
      // This error needs no warning: the next look for due work reads the new data.
      if (error instanceof DataReplacedError) return;
      logger.warn({ err: error }, 'cannot look for evaluations and syncs that are due');
    },
  });

  function wake(): void {
    if (canTake()) looks.request();
  }

  async function look(): Promise<void> {
    if (!canTake()) return;
    const now = clock.now();
    // Read before claiming: usually no work is due, and a read, unlike a claim, does not block writes.
    const isDue = await storage.read((queries) => isLifecycleDue(queries, now));
    if (isDue) {
      const hasFound = [await claim('evaluation', now), await claim('sync', now)];
      if (!hasFound.includes(true)) return looks.requestIn(POLL_MS);
    }
    const next = clock.isStill() ? undefined : await storage.read((queries) => findNextLifecycleDueAfter(queries, now));
    if (next !== undefined) looks.requestIn(next - clock.now());
    if (isDue || options.isShared) looks.requestIn(POLL_MS);
  }

  /**
   * Claims and starts due work while a slot is free. Claims one workspace at a time: if the work is a calendar change,
   * the next claim must skip the organization's other calendar changes.
   *
   * @returns false if no work was due.
   */
  async function claim(work: Work, now: Instant): Promise<boolean> {
    let hasClaimed = false;
    while (slots.free(work) > 0) {
      // A move of the clock waits for all due work, so do not skip resting organizations.
      const resting = rests.organizations({ includeResting: clock.state.moving === undefined });
      const order = { work, now, leaseMs: LEASE_MS, except: slots.workspaces(), resting, isRepeatable };
      const lease = await storage.write((queries) => claimDueLifecycle(queries, order));
      if (!lease) return hasClaimed;
      void start(lease, work);
      hasClaimed = true;
    }
    return true;
  }

  async function process(held: HeldLease, work: Work): Promise<number> {
    try {
      return await options.processDue(held, work);
    } catch (error) {
      const until = clock.now() + POSTPONED_MS;
      if (failsAgain(error)) await storage.write((queries) => postponeLifecycle(queries, held.workspaceId, until));
      throw error;
    }
  }

  async function start(lease: DueLease, work: Work): Promise<void> {
    const isChange = work === 'evaluation' && lease.trigger === 'calendar';
    const ended = isChange ? rests.begin(lease.organizationId) : undefined;
    let deliveries = 0;
    try {
      deliveries = await slots.run(lease.workspaceId, work, () => leases.keep(lease, (held) => process(held, work)));
      wake();
    } catch (error) {
      options.report(lease.workspaceId, error);
      looks.requestIn(POLL_MS);
    } finally {
      ended?.(deliveries);
    }
  }

  return {
    wake,
    isLooking: looks.isRunning,
    /** Ends the calendar rests of all organizations. Call this when all data has been replaced. */
    endRests: rests.clear,
    /** Running work continues. */
    stop: looks.stop,
  };
}
