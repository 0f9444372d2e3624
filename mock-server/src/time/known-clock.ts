import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import { leadOf } from '../domain/id-time.ts';
import type { Ids } from '../runtime/ids.ts';
import { followLatestId, raiseIdLead } from '../storage/changes/ids.ts';
import type { Storage } from '../storage/port.ts';
import { findLatestId, TABLES_WITH_IDS } from '../storage/statements/ids.ts';
import { findSetting } from '../storage/statements/settings.ts';
import type { VirtualClock } from './clock.ts';

export interface KnownClockOptions {
  clock: VirtualClock;
  ids: Ids;
  storage: Storage;
  /** The id of the latest reset or restore before this node started. */
  lastReset: string | undefined;
  isShared: boolean;
  onChange(): void;
  /** Called when another node has reset or restored the data. */
  onReset?(): void;
}

export type KnownClock = ReturnType<typeof createKnownClock>;

/** Keeps this node's clock and ids in line with the stored clock state. */
export function createKnownClock(options: KnownClockOptions) {
  const { clock, ids, storage, onChange } = options;
  let knownReset = options.lastReset;
  let knownAt = performance.now();
  /**
   * The highest lead (see `Ids.leadMs`) that this node has stored with the current data. Unused if other
   * nodes share the database.
   */
  let storedLeadMs = 0;

  function use(state: ClockState): void {
    knownAt = performance.now();
    // If a node whose clock is a little behind froze the clock, this node's clock goes back. So first generate an id:
    // all later ids are higher than this id.
    if (clock.nowIn(state) < clock.now()) ids.nextBare();
    clock.restore(state);
    if (state.idsAfter !== undefined) ids.riseAbove(state.idsAfter);
    if (state.moving) ids.riseAbove(state.moving.afterId);
    onChange();
  }

  /** Stores the ids' lead over the clock. Filters by creation time need this lead if the system clock was set back. */
  async function storeLead(): Promise<void> {
    const leadMs = ids.leadMs();
    if (leadMs <= storedLeadMs) return;
    // If the data was replaced during the write, the stored lead is lost, and the next call stores the lead again.
    const reset = knownReset;
    await storage.write((queries) => raiseIdLead(queries, leadMs));
    if (knownReset === reset) storedLeadMs = leadMs;
  }

  return {
    use,

    async read(): Promise<void> {
      if (!options.isShared) return;
      const { state, reset } = await storage.read(async (queries) => ({
        state: (await findSetting(queries, 'clock')) ?? REAL_TIME,
        reset: await findSetting(queries, 'reset'),
      }));
      const wasReset = reset !== knownReset;
      if (wasReset) {
        // All rows were replaced. Continue just above the highest id in use, so that ids from different nodes stay in
        // order.
        const latest = await storage.read(findLatestId);
        clock.restore(state);
        ids.restart(latest);
        knownReset = reset;
      }
      if (wasReset || JSON.stringify(state) !== JSON.stringify(clock.state)) use(state);
      else knownAt = performance.now();
      if (wasReset) options.onReset?.();
    },

    /** Adds `idsAfter` to a state that this node is about to store, so that all nodes generate higher ids. */
    async withIdsAfter(next: ClockState): Promise<ClockState> {
      const isBack = clock.nowIn(next) < clock.now();
      const idsAfter = isBack || ids.leadMs() > 0 ? ids.nextBare() : clock.state.idsAfter;
      if (isBack && idsAfter !== undefined) {
        await storage.write((queries) => raiseIdLead(queries, leadOf(idsAfter, clock.nowIn(next))));
      }
      return { ...next, idsAfter };
    },

    /**
     * Makes new ids higher than the ids of the other nodes. This is necessary while the clock stands still or the times
     * in ids are ahead of the clock. Without other nodes, only stores how far the ids are ahead.
     */
    async followOtherIds(): Promise<void> {
      if (!options.isShared) return await storeLead();
      if (!clock.isStill() && ids.leadMs() === 0) return;
      await storage.write((queries) => followLatestId(queries, { ids, clock, tables: TABLES_WITH_IDS }));
    },

    reset: (): string | undefined => knownReset,

    /** When this node last received the stored clock, on the process's monotonic clock. */
    at: (): number => knownAt,

    /** Call this after a reset by this node. Otherwise, `read` would report the reset as a reset by another node. */
    wasReset(reset: string): void {
      knownReset = reset;
      storedLeadMs = 0;
    },
  };
}
