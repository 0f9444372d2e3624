import { RATE_LIMIT_REQUESTS, RATE_LIMIT_WINDOW_MS } from '@svc/contract';
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
 * How long the next calendar change of an organization waits, within the minimum and the maximum below: three times as
 * long as the evaluation for the previous change took. Each change also sends an event to every subscribed endpoint of
 * the workspace. So the next change also waits until an API key
 * could have caused as many deliveries by pings.
 */
const REST_FACTOR = 3;
const REST_PER_DELIVERY_MS = RATE_LIMIT_WINDOW_MS / RATE_LIMIT_REQUESTS.api_key;
const REST_MIN_MS = 500;
const REST_MAX_MS = 30_000;

/**
 * Claims due work for all free slots of this node, and runs the work. `scheduleAfter` in `run-cycle.ts` decides when a
 * workspace is due again.
 */
export function createDueWork(options: DueWorkOptions) {
  const { storage, clock, logger, slots, leases, canTake } = options;
  /**
   * For each organization, how many of its calendar changes are being evaluated, or were evaluated a short time ago.
   */
  const resting = new Map<string, number>();
  const looks = createWorkLoop({
    run: look,
    failed(error) {
      // The next look for due work reads the new data.
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
   * node looks for more work. Claims one workspace at a time, because an evaluation that starts after a calendar change
   * adds its organization to `resting`.
   */
  async function claim(work: Work, now: Instant): Promise<'none' | 'some' | 'full'> {
    let claimed: 'none' | 'some' = 'none';
    while (slots.free(work) > 0) {
      const order = { work, now, leaseMs: LEASE_MS, except: slots.workspaces(), resting: [...resting.keys()] };
      const lease = await storage.write((queries) => claimDueLifecycle(queries, order));
      if (!lease) return claimed;
      void start(lease, work);
      claimed = 'some';
    }
    return claimed === 'some' ? 'some' : 'full';
  }

  async function start(lease: DueLease, work: Work): Promise<void> {
    const rest = lease.trigger === 'calendar' ? beginRest(lease.organizationId) : undefined;
    let deliveries = 0;
    try {
      deliveries = await slots.run(lease.workspaceId, work, () => leases.keep(lease, options.processDue));
      wake();
    } catch (error) {
      options.report(lease.workspaceId, error);
      looks.requestIn(POLL_MS);
    } finally {
      rest?.(deliveries);
    }
  }

  /**
   * An API key can change its workspace's calendar as often as its rate limit allows, and each change evaluates all
   * profiles. The organization's next change waits for a time that depends on the latest evaluation, so that one
   * organization cannot keep the node busy.
   *
   * @returns a function to call when the evaluation has ended, with the number of its deliveries.
   */
  function beginRest(organizationId: string): (deliveries: number) => void {
    const startedAt = performance.now();
    resting.set(organizationId, (resting.get(organizationId) ?? 0) + 1);
    const end = () => {
      const left = (resting.get(organizationId) ?? 1) - 1;
      if (left > 0) resting.set(organizationId, left);
      else resting.delete(organizationId);
      wake();
    };
    return (deliveries) => {
      const restMs = Math.max(REST_FACTOR * (performance.now() - startedAt), REST_PER_DELIVERY_MS * deliveries);
      setTimeout(end, Math.min(Math.max(restMs, REST_MIN_MS), REST_MAX_MS)).unref();
    };
  }

  return {
    /** Call this when work may have become due. */
    wake,
    isLooking: looks.isRunning,
    /** Stops looking for work. Work that has already started continues. */
    stop: looks.stop,
  };
}
