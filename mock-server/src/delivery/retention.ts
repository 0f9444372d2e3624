import { DRAWN_WITHIN_MS } from '../domain/id-time.ts';
import type { Clock, Instant } from '../runtime/clock.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Queries, Storage } from '../storage/port.ts';
import { removeOldEvaluations } from '../storage/statements/profiles/remove-old-evaluations.ts';
import { removeIdleLanes } from '../storage/statements/remove-idle-lanes.ts';
import { removeOldDeliveries } from '../storage/statements/remove-old-deliveries.ts';
import { removeOldEvents } from '../storage/statements/remove-old-events.ts';
import { removeOldNotifications } from '../storage/statements/remove-old-notifications.ts';

/** Rows of each table that one step looks at. */
const STEP_ROWS = 200;
/** Between two steps of a pass, and between two passes. */
const STEP_INTERVAL_MS = 50;
const LOOK_INTERVAL_MS = 60_000;

/** What retention works with. */
export interface RetentionOptions {
  storage: Storage;
  clock: Clock;
  logger: Logger;
  /** How long deliveries are kept beyond their end, and events at least, on the virtual clock; for ever where absent. */
  retentionMs?: number | undefined;
  retryDelaysMs: readonly number[];
  retryJitterPercent: number;
}

/** Retention, running. */
export interface Retention extends AsyncDisposable {
  /** Looks now, and not only when its minute is over. */
  look(): void;
}

/** How far a pass over all that is old has come: the deliveries, the events that none of them needs, and what else was left behind. */
export interface RetentionPass {
  /** What ended before it goes. */
  readonly before: Instant;
  readonly phase: 'deliveries' | 'events' | 'notifications' | 'evaluations' | 'lanes';
  /** The last of them that was looked at; at first an empty text. */
  readonly after: string;
  /** From here on events are needed, or too young. */
  readonly eventsFrom: Instant;
}

/** Begins a pass. What is created later than `before` is not looked at, but its event may have been made a little earlier. */
export const beginPass = (before: Instant): RetentionPass => ({
  before,
  phase: 'deliveries',
  after: '',
  eventsFrom: before - DRAWN_WITHIN_MS,
});

/** Begins a pass in which only the lanes of deleted endpoints go. */
export const beginPassOverLanes = (): RetentionPass => ({ before: 0, phase: 'lanes', after: '', eventsFrom: 0 });

/** Takes the next step of a pass, inside the caller's transaction. @returns where the pass stands; undefined at its end. */
export async function stepOf(
  queries: Queries,
  pass: RetentionPass,
  { retryDelaysMs, retryJitterPercent }: Pick<RetentionOptions, 'retryDelaysMs' | 'retryJitterPercent'>,
  limit: number = STEP_ROWS,
): Promise<RetentionPass | undefined> {
  const { before, phase, after } = pass;
  const goOn = (last: string | undefined, next: RetentionPass['phase'] | undefined, from = pass.eventsFrom) => {
    if (last !== undefined) return { before, phase, after: last, eventsFrom: from };
    return next && { before, phase: next, after: '', eventsFrom: from };
  };
  switch (phase) {
    case 'deliveries': {
      const schedule = { delaysMs: retryDelaysMs, jitterPercent: retryJitterPercent };
      const { last, oldestEventKept } = await removeOldDeliveries(queries, { before, after, limit, schedule });
      return goOn(last, 'events', Math.min(pass.eventsFrom, oldestEventKept ?? pass.eventsFrom));
    }
    case 'events':
      return goOn(await removeOldEvents(queries, { until: pass.eventsFrom, after, limit }), 'notifications');
    case 'notifications':
      return goOn((await removeOldNotifications(queries, before, limit)) ? after : undefined, 'evaluations');
    case 'evaluations':
      return goOn((await removeOldEvaluations(queries, before, limit)) ? after : undefined, 'lanes');
    case 'lanes':
      return goOn(await removeIdleLanes(queries, after, limit), undefined);
  }
}

/**
 * Removes what ended longer ago than the retention time, and lanes of endpoints that were deleted, in small steps with
 * pauses between them, so that nothing waits for it.
 */
export function startRetention(options: RetentionOptions): Retention {
  const { storage, clock, logger, retentionMs } = options;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let current: Promise<void> | undefined;
  let pass: RetentionPass | undefined;
  /** Whether somebody asked since the latest pass began. */
  let isAsked = false;

  async function step(): Promise<void> {
    if (!pass) isAsked = false;
    const at = pass ?? (retentionMs === undefined ? beginPassOverLanes() : beginPass(clock.now() - retentionMs));
    pass = undefined;
    try {
      pass = await storage.write((queries) => stepOf(queries, at, options));
    } catch (error) {
      logger.error({ err: error }, 'cannot delete expired deliveries');
    }
    current = undefined;
    if (!isClosed) timer = setTimeout(goOn, pass ? STEP_INTERVAL_MS : isAsked ? 0 : LOOK_INTERVAL_MS).unref();
  }

  function goOn(): void {
    clearTimeout(timer);
    current ??= step();
  }
  goOn();

  return {
    look() {
      isAsked = true;
      goOn();
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      clearTimeout(timer);
      await current;
    },
  };
}
