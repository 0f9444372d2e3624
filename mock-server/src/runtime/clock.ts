import type { Instant } from '../domain/instant.ts';

export type { Instant };

/** Provides the time for stored timestamps, retry schedules and the expiry of secrets. */
export interface Clock {
  now(): Instant;
}

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
  /** The highest delivery id when the step began, or an empty text. Ids from the step itself are higher. */
  afterId: string;
  /** Where the move ends. */
  target: Instant;
}

/** A clock that nobody has moved. */
export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/** The same state without a step. This is the only repair needed after the node that moved the clock has died. */
export function released({ moving: _, ...state }: ClockState): ClockState {
  return state;
}

/** A clock that can be moved and frozen, to test what takes days. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
  /** It is not stored, because a clock that stands still moves away from the real one. */
  #frozenOffsetMs = 0;
  readonly #realNow: () => Instant;

  constructor(realNow: () => Instant = Date.now) {
    this.#realNow = realNow;
  }

  /** The real time: this machine's, or the time that the nodes share. */
  realNow(): Instant {
    return this.#realNow();
  }

  get state(): ClockState {
    return this.#state;
  }

  now(): Instant {
    return this.nowIn(this.#state);
  }

  /** Whether the time stays the same until somebody moves the clock. A timer that waits for a later time is useless. */
  isStill(): boolean {
    return this.#state.frozenAt !== null || this.#state.moving !== undefined;
  }

  /** The time that the clock would show in another state. */
  nowIn(state: ClockState): Instant {
    if (state.moving) return state.moving.at;
    return state.frozenAt === null ? this.#realNow() + state.offsetMs : state.frozenAt;
  }

  /** How far the clock is ahead of the real one, in milliseconds. For a frozen clock: when it got its time. */
  get offsetMs(): number {
    return this.#state.frozenAt === null ? this.#state.offsetMs : this.#frozenOffsetMs;
  }

  restore(state: ClockState): void {
    const { frozenAt } = state;
    if (frozenAt !== null && frozenAt !== this.#state.frozenAt) this.#frozenOffsetMs = frozenAt - this.#realNow();
    this.#state = state;
  }

  /** The state of this clock at another instant: frozen if it is frozen now. */
  stateAt(at: Instant): ClockState {
    return this.#state.frozenAt === null ? { offsetMs: at - this.#realNow(), frozenAt: null } : { frozenAt: at };
  }
}
