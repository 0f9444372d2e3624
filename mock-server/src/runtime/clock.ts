/** Milliseconds since the epoch, on the virtual clock unless a name says otherwise. */
export type Instant = number;

/** Tells the time that stored timestamps, retry schedules and secret expiry use. */
export interface Clock {
  now(): Instant;
}

/** The part of a virtual clock that is stored, and that all nodes on a database share. */
export interface ClockState {
  /** How far the clock is ahead of the real one, in milliseconds. */
  offsetMs: number;
  /** Where a frozen clock stands, or null while it runs. */
  frozenAt: Instant | null;
  /** Present while a node moves the clock step by step. */
  moving?: ClockStep | undefined;
}

/** One step of a clock that is being moved: it stands still until everything due at that instant is done. */
export interface ClockStep {
  at: Instant;
  /** The highest delivery id when the step began, or an empty text. Ids drawn during the step are higher. */
  afterId: string;
}

/** A clock that nobody has moved. */
export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/** The same state without a step. This is all that is left to do after the node that moved the clock died. */
export function released({ offsetMs, frozenAt }: ClockState): ClockState {
  return { offsetMs, frozenAt };
}

/** A clock that can be moved forwards and frozen, to test what takes days. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
  readonly #realNow: () => Instant;

  constructor(realNow: () => Instant = Date.now) {
    this.#realNow = realNow;
  }

  /** The real time: this machine's, or the one that the fleet agrees on. */
  realNow(): Instant {
    return this.#realNow();
  }

  get state(): ClockState {
    return this.#state;
  }

  now(): Instant {
    return this.nowIn(this.#state);
  }

  /** What the clock would show in another state. */
  nowIn({ moving, frozenAt, offsetMs }: ClockState): Instant {
    return moving?.at ?? frozenAt ?? this.#realNow() + offsetMs;
  }

  restore(state: ClockState): void {
    this.#state = state;
  }

  /** The state of this clock at another instant: frozen if it is frozen now. */
  stateAt(at: Instant): ClockState {
    return { offsetMs: at - this.#realNow(), frozenAt: this.#state.frozenAt === null ? null : at };
  }
}
