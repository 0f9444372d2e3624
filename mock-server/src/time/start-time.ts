import type { NodeRole } from '../domain/node-role.ts';
import type { VirtualClock } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Storage } from '../storage/port.ts';
import { findSetting } from '../storage/statements/find-setting.ts';
import { type Settleable, settle } from './settle.ts';
import { type ClockFleet, createSharedClock, type NodeReport, type SharedClock } from './shared-clock.ts';
import { createTimeline, type DueWork, type Timeline } from './timeline.ts';

/** The parts and settings of {@link startTime}. */
export interface StartTimeOptions extends Settleable {
  clock: VirtualClock;
  ids: Ids;
  storage: Storage;
  logger: Logger;
  engine: Settleable['engine'] & Omit<DueWork, 'role'>;
  evaluator: Settleable['evaluator'] & Omit<DueWork, 'role'>;
  /** The work of this node. */
  roles: readonly NodeRole[];
  /** The other nodes. Undefined if there can be none. */
  fleet: ClockFleet | undefined;
  /** What this node has done since it started. */
  report(): NodeReport;
  /** This node uses another state of the clock. */
  onChange(): void;
  /** Another node has replaced all data. */
  onReset(): void;
}

/** The shared clock, and what moves it. */
export interface Time {
  sharedClock: SharedClock;
  timeline: Timeline;
}

/** Connects virtual time with the work that it makes due. */
export async function startTime(options: StartTimeOptions): Promise<Time> {
  const { clock, storage, engine, evaluator, roles, fleet, report } = options;
  const lastReset = await storage.read((queries) => findSetting(queries, 'reset'));
  const sharedClock = createSharedClock({ ...options, lastReset });
  const timeline = createTimeline({
    sharedClock,
    clock,
    storage,
    work: [
      { role: 'deliver', ...engine },
      { role: 'evaluate', ...evaluator },
    ],
    report,
    async roles() {
      const hasAll = roles.includes('deliver') && roles.includes('evaluate');
      return new Set(!fleet || hasAll ? roles : [...roles, ...(await fleet.roles())]);
    },
    settle: (timeoutMs) => settle({ engine, evaluator, clock, evaluates: roles.includes('evaluate') }, timeoutMs),
  });
  return { sharedClock, timeline };
}
