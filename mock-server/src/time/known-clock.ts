import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Storage } from '../storage/port.ts';
import { findSetting } from '../storage/statements/settings.ts';
import type { VirtualClock } from './clock.ts';

/** The dependencies that {@link createKnownClock} takes. */
export interface KnownClockOptions {
  clock: VirtualClock;
  ids: Ids;
  storage: Storage;
  /** The latest reset of the data at the start. */
  lastReset: string | undefined;
  /** Whether other nodes may change the stored clock. */
  isShared: boolean;
  /** Called when this node starts to use another state. */
  onChange(): void;
  /** Called when another node has wiped the data. */
  onReset?(): void;
}

/** What this node knows of the stored clock. Its own clock and ids follow what it knows. */
export function createKnownClock(options: KnownClockOptions) {
  const { clock, ids, storage, onChange } = options;
  let knownReset = options.lastReset;
  let knownAt = performance.now();

  /** Uses a state, even if it equals the current one. */
  function use(state: ClockState): void {
    knownAt = performance.now();
    // Ids must keep increasing on every node if the clock is set back. Generating one now makes all later ids higher.
    if (clock.nowIn(state) < clock.now()) ids.nextBare();
    clock.restore(state);
    if (state.moving) ids.riseAbove(state.moving.afterId);
    onChange();
  }

  return {
    use,

    /** Reads the stored clock. */
    async read(): Promise<void> {
      if (!options.isShared) return;
      const { state, reset } = await storage.read(async (queries) => ({
        state: (await findSetting(queries, 'clock')) ?? REAL_TIME,
        reset: await findSetting(queries, 'reset'),
      }));
      const wasReset = reset !== knownReset;
      if (wasReset || !isSame(state, clock.state)) use(state);
      else knownAt = performance.now();
      if (!wasReset) return;
      // All rows are gone, so ids start again. If each node continued its own ids, the ids would have no common order.
      knownReset = reset;
      ids.restart();
      options.onReset?.();
    },

    /** When this node last knew the stored clock, on the process's monotonic clock. */
    at: (): number => knownAt,

    /** Call this after this node itself has wiped the data, so that it does not notice its own reset. */
    wasReset(reset: string): void {
      knownReset = reset;
    },
  };
}

const isSame = (a: ClockState, b: ClockState) =>
  a.frozenAt === b.frozenAt &&
  (a.frozenAt !== null || b.frozenAt !== null || a.offsetMs === b.offsetMs) &&
  a.moving?.at === b.moving?.at &&
  a.moving?.afterId === b.moving?.afterId;
