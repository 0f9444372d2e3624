/*
 * Virtual time: the clock that a developer moves, and everything that has to happen when it moves.
 *
 * - `clock.ts`: the virtual clock. Retry schedules, the expiry of secrets, evaluations and stored timestamps use this
 *   clock. The clock runs ahead of real time by an offset, or is frozen. A setting in the database stores the clock's
 *   state (`domain/clock-state.ts`).
 * - `timeline.ts`: moves the clock in *steps*. Each step moves the clock to the next instant at which work is due.
 *   During a step, the clock stands still until all work that is due at that instant is done. The delivery engine and
 *   the evaluator do this work (`DueWork`).
 * - `shared-clock.ts`: all nodes of a fleet have the same clock. Only one node at a time, the *mover*, has the
 *   *lock* to change the clock. `known-clock.ts` keeps the clock of a node in line with the stored clock.
 * - `current-data.ts`: a request uses only the current clock, and never mixes data from before and after a reset.
 * - `settle.ts`: waits until no work is due or in flight, without moving the clock.
 * - `clock-skew.ts`: the real time. A node whose machine has a wrong clock uses the database's clock.
 *
 * Rate limits, timeouts, leases and `webhook-timestamp` use the real time, never the virtual clock.
 */
import type { NodeRole } from '../domain/node-role.ts';
import type { ReadOnlyClock } from './clock.ts';
import { type Settleable, settle } from './settle.ts';
import type { NodeReport, SharedClock, SharedClockOptions } from './shared-clock.ts';
import { createTimeline } from './timeline.ts';

export type Timeline = ReturnType<typeof startTime>;

export interface StartTimeOptions extends Settleable, Pick<SharedClockOptions, 'storage' | 'fleet'> {
  clock: ReadOnlyClock;
  sharedClock: SharedClock;
  roles: readonly NodeRole[];
  report(): NodeReport;
}

export function startTime(options: StartTimeOptions) {
  const { clock, sharedClock, engine, evaluator, roles, fleet } = options;
  const { refresh, whileCurrent, expectSameData, latestReset } = sharedClock;
  async function rolesOfAllNodes(): Promise<ReadonlySet<string>> {
    const hasAll = roles.includes('deliver') && roles.includes('evaluate');
    return new Set(!fleet || hasAll ? roles : [...roles, ...(await fleet.roles())]);
  }
  const moves = createTimeline({
    ...options,
    work: [
      { role: 'deliver', ...engine },
      { role: 'evaluate', ...evaluator },
    ],
    roles: rolesOfAllNodes,
  });
  const settleWithin = async (timeoutMs: number) =>
    await settle({ engine, evaluator, clock, evaluates: (await rolesOfAllNodes()).has('evaluate') }, timeoutMs);
  return { ...moves, refresh, whileCurrent, expectSameData, latestReset, settle: settleWithin };
}
