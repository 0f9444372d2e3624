import type { Instant } from './instant.ts';

/** The clock that all nodes share. A running clock is `offsetMs` ahead of the real clock. */
export type ClockState = ({ offsetMs: number; frozenAt: null } | { frozenAt: Instant }) & {
  moving?: ClockStep | undefined;
  /**
   * All new ids are higher than this id. A node stores a new `idsAfter` when it restores a snapshot, sets the clock
   * back, or changes the clock while the times in ids are ahead of the clock. The new `idsAfter` makes the clock state
   * differ from all earlier states. So every node notices the change, even a node whose process was suspended.
   */
  idsAfter?: string | undefined;
};

/** The clock stands still at `at` until all work that is due by that time is done. */
interface ClockStep {
  at: Instant;
  /**
   * The highest delivery id when the step began, or an empty string. Deliveries created in the step have higher ids.
   */
  afterId: string;
  target: Instant;
}

export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/** Removes an unfinished step from the state. If the node that moved the clock dies, no other repair is necessary. */
export function released({ moving: _, ...state }: ClockState): ClockState {
  return state;
}
