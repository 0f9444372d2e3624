import { REAL_TIME } from '../domain/clock-state.ts';
import type { Instant } from '../domain/instant.ts';
import type { Logger } from '../runtime/logger.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import {
  removeOldEvaluations,
  removeOldEvents,
  removeOldNotifications,
  removeOldReplays,
} from '../storage/changes/retention.ts';
import { removeOldDeliveries } from '../storage/delivery/remove-old.ts';
import type { Queries, Storage } from '../storage/port.ts';
import type { OldRows } from '../storage/statements/ids.ts';
import { findSetting } from '../storage/statements/settings.ts';
import { together } from '../storage/together.ts';
import { waitForWipe } from '../storage/wipe.ts';
import type { ReadOnlyClock } from '../time/clock.ts';

/** How many rows one step checks. The attempts of a delivery count as rows, too. */
const STEP_ROWS = 200;
const STEP_INTERVAL_MS = 50;
const PASS_INTERVAL_MS = 60_000;

export interface RetentionOptions {
  storage: Storage;
  clock: Pick<ReadOnlyClock, 'nowIn'>;
  logger: Logger;
  /** How long to keep ended deliveries, on the virtual clock. Events are kept at least this long. */
  retentionMs: number;
}

/** A pass deletes rows in this order, because a replay or an event can be deleted only if no delivery needs it. */
const REMOVE = {
  deliveries: removeOldDeliveries,
  replays: removeOldReplays,
  events: removeOldEvents,
  notifications: removeOldNotifications,
  evaluations: removeOldEvaluations,
};
type Phase = keyof typeof REMOVE;
const PHASES = Object.keys(REMOVE) as Phase[];

export interface RetentionPass extends Omit<OldRows, 'limit'> {
  readonly phase: Phase;
  /** The id of the latest reset or restore when the pass began, if any. */
  readonly reset?: string | undefined;
}

/** Begins a pass that keeps rows from `before` or later. Times in ids may be up to `idLeadMs` ahead of the clock. */
export const beginPass = (before: Instant, idLeadMs = 0): RetentionPass => ({
  before,
  idsBefore: before + idLeadMs,
  phase: 'deliveries',
  after: '',
});

/** Runs the next step of a pass, in the caller's transaction. Returns `undefined` at the end of the pass. */
export async function stepOf(
  queries: Queries,
  pass: RetentionPass,
  limit = STEP_ROWS,
): Promise<RetentionPass | undefined> {
  const { before, idsBefore, phase, after } = pass;
  const last = await REMOVE[phase](queries, { before, idsBefore, after, limit });
  if (last !== undefined) return { ...pass, after: last };
  const next = PHASES[PHASES.indexOf(phase) + 1];
  return next && { ...pass, phase: next, after: '' };
}

/**
 * Runs the next step of a pass. First begins a new pass if there is none, if the data was replaced, or if the clock was
 * set back: the rows that the old pass would delete may then no longer be old. Reads the stored clock in the step's
 * transaction, because another node may have just changed the clock. Returns `undefined` at the end of the pass.
 */
export async function continuePass(
  queries: Queries,
  { clock, retentionMs }: Pick<RetentionOptions, 'clock' | 'retentionMs'>,
  pass: RetentionPass | undefined,
  limit?: number,
): Promise<RetentionPass | undefined> {
  await waitForWipe(queries);
  const [state, reset, idLeadMs] = await together([
    findSetting(queries, 'clock'),
    findSetting(queries, 'reset'),
    findSetting(queries, 'idLeadMs'),
  ]);
  const before = clock.nowIn(state ?? REAL_TIME) - retentionMs;
  const isValid = pass && pass.reset === reset && pass.before <= before;
  return await stepOf(queries, isValid ? pass : { ...beginPass(before, idLeadMs), reset }, limit);
}

/** Deletes old rows in small steps with pauses. */
export function startRetention(options: RetentionOptions) {
  const { storage, logger } = options;
  let pass: RetentionPass | undefined;
  /** Whether `requestPass` was called since the latest pass began. If so, the next pass follows at once. */
  let isAsked = false;

  async function step(): Promise<void> {
    if (!pass) isAsked = false;
    try {
      const at = pass;
      pass = await storage.write((queries) => continuePass(queries, options, at));
    } catch (error) {
      pass = undefined;
      logger.error({ err: error }, 'cannot delete expired deliveries');
    }
    steps.requestIn(pass ? STEP_INTERVAL_MS : isAsked ? 0 : PASS_INTERVAL_MS);
  }

  const steps = createWorkLoop({ run: step, failed() {} });
  steps.request();

  return {
    /** Starts a pass now, or as soon as the current pass has ended, instead of waiting up to a minute. */
    requestPass(): void {
      isAsked = true;
      steps.request();
    },
    [Symbol.asyncDispose]: steps.stop,
  };
}
