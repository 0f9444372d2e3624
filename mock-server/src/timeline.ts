import type { Timeline } from './http/services.ts';
import { type Instant, REAL_TIME, type VirtualClock } from './runtime/clock.ts';
import type { Ids } from './runtime/ids.ts';
import type { Storage } from './storage/port.ts';
import { findSetting } from './storage/statements/find-setting.ts';
import { raiseIdLead } from './storage/statements/raise-id-lead.ts';
import { saveSetting } from './storage/statements/save-setting.ts';

/** What has work at certain times: the delivery engine and, in time, the evaluation schedule. */
interface Worker {
  pause(): Promise<void>;
  resume(): void;
  runDue(): Promise<number>;
  nextDueAt(): Promise<Instant | undefined>;
  status(): Promise<{ pending: number; inFlight: number; nextDueAt: Instant | undefined }>;
  whenIdle(signal: AbortSignal): Promise<boolean>;
}

/** What a timeline moves, and whom it tells. */
export interface TimelineOptions {
  clock: VirtualClock;
  ids: Ids;
  storage: Storage;
  deliveries: Worker;
  /** Tells the other nodes that the clock was moved; undefined where there can be none. */
  announce: (() => Promise<void>) | undefined;
}

/** A timeline, with what else must not happen while the clock is moved. */
export interface OwnTimeline extends Timeline {
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** Moves virtual time step by step: to each instant at which something falls due, and only from there to the next. */
export function createTimeline({ clock, ids, storage, deliveries, announce }: TimelineOptions): OwnTimeline {
  // Two calls at once would move the same clock; the second waits for the first.
  let last: Promise<unknown> = Promise.resolve();
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const save = () => storage.write((queries) => saveSetting(queries, 'clock', clock.state));
  async function change<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = await alone(work);
    await announce?.();
    return result;
  }

  async function advanceTo(target: Instant) {
    await deliveries.pause();
    let attempts = 0;
    try {
      for (;;) {
        const due = await deliveries.nextDueAt();
        if (due === undefined || due > target) break;
        clock.hold(Math.max(due, clock.now()));
        const made = await deliveries.runDue();
        attempts += made;
        // Work that somebody else holds stays due; it is left to them.
        if (made === 0 && (await deliveries.nextDueAt()) === due) break;
      }
      clock.moveTo(Math.max(target, clock.now()));
      await save();
    } finally {
      clock.release();
      deliveries.resume();
    }
    return { attempts, evaluations: 0 };
  }

  return {
    alone,
    advanceTo: (target) => change(() => advanceTo(target)),
    freeze: () =>
      change(async () => {
        clock.freeze();
        await save();
      }),
    reset: () =>
      change(async () => {
        const before = clock.now();
        clock.reset();
        await storage.write(async (queries) => {
          await saveSetting(queries, 'clock', clock.state);
          await raiseIdLead(queries, before - clock.now());
        });
      }),
    async refresh() {
      if (!announce) return;
      await alone(async () => {
        const state = (await storage.read((queries) => findSetting(queries, 'clock'))) ?? REAL_TIME;
        if (state.offsetMs === clock.state.offsetMs && state.frozenAt === clock.state.frozenAt) return;
        // Ids rise beyond those that any node drew before, also where the clock is set back now.
        ids.nextBare();
        clock.restore(state);
      });
    },
    async settle(timeoutMs) {
      const settled = await deliveries.whenIdle(AbortSignal.timeout(timeoutMs));
      return { settled, ...(await deliveries.status()) };
    },
  };
}
