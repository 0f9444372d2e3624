import type { Instant } from './instant.ts';

/** The part of a virtual clock that is stored and that all nodes on a database share. */
export type ClockState = (RunningClock | FrozenClock) & {
  /** Present while a node moves the clock step by step. */
  moving?: ClockStep | undefined;
};

interface RunningClock {
  /** How far the clock is ahead of the real one, in milliseconds. */
  offsetMs: number;
  frozenAt: null;
}

interface FrozenClock {
  /** The time that the clock shows. */
  frozenAt: Instant;
}

/** One step of a moving clock. The clock stands still until everything due at that instant is done. */
export interface ClockStep {
  at: Instant;
  /** The highest delivery id when the step began, or an empty string. Ids from the step itself are higher. */
  afterId: string;
  /** Where the move ends. */
  target: Instant;
}

/** A clock that nobody has moved. */
export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/**
 * Removes an unfinished step from a state. This is the only repair needed after the node that moved the clock has died.
 */
export function released({ moving: _, ...state }: ClockState): ClockState {
  return state;
}
