import type { Instant } from './instant.ts';

/**
 * The stored state of the virtual clock, which all nodes share. A running clock is `offsetMs` milliseconds ahead of the
 * real clock.
 */
export type ClockState = ({ offsetMs: number; frozenAt: null } | { frozenAt: Instant }) & {
  /** Present while a node moves the clock step by step. */
  moving?: ClockStep | undefined;
  /**
   * An id without a prefix. All nodes generate ids that are higher than this id. A node stores a new id here in three
   * cases: when it sets the clock back, when it changes the clock while the times in ids are ahead of the clock, and
   * when it restores a snapshot. So the state after such a change differs from all earlier states. Every other node
   * then notices the change, even if its process was suspended meanwhile. Absent before the first such change.
   */
  idsAfter?: string | undefined;
};

/** One step of a moving clock. The clock stands still at `at` until all work that is due by then is done. */
export interface ClockStep {
  at: Instant;
  /**
   * The highest delivery id when the step began, or an empty string if there was no delivery. Deliveries that are
   * created during the step have higher ids.
   */
  afterId: string;
  target: Instant;
}

/** The state of a clock that was never moved. */
export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/** Removes an unfinished step from a state. No other repair is necessary if the node that moved the clock has died. */
export function released({ moving: _, ...state }: ClockState): ClockState {
  return state;
}
