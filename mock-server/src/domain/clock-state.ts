import type { Instant } from './instant.ts';

/** The stored state that all nodes share. A running clock is `offsetMs` milliseconds ahead of the real clock. */
export type ClockState = ({ offsetMs: number; frozenAt: null } | { frozenAt: Instant }) & {
  /** Present while a node moves the clock step by step. */
  moving?: ClockStep | undefined;
  /**
   * All nodes generate higher ids than this id, which has no prefix. A node stores a new id here when it sets the clock
   * back, changes the clock while the times in ids are ahead of the clock, or restores a snapshot. So the state after
   * such a change differs from all earlier states, and every other node notices the change, even if its process was
   * suspended meanwhile. Absent before the first such change.
   */
  idsAfter?: string | undefined;
};

/** One step of a moving clock. The clock stands still at `at` until all work that is due by then is done. */
export interface ClockStep {
  at: Instant;
  /** The highest delivery id when the step began, or an empty string. Deliveries of the step have higher ids. */
  afterId: string;
  target: Instant;
}

/** The state of a clock that was never moved. */
export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/** Removes an unfinished step from a state. No other repair is necessary if the node that moved the clock has died. */
export function released({ moving: _, ...state }: ClockState): ClockState {
  return state;
}
