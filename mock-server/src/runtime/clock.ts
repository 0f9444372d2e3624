/** Milliseconds since the epoch, on the virtual clock unless a name says otherwise. */
export type Instant = number;

/** Provides the time for stored timestamps, retry schedules and the expiry of secrets. */
export interface Clock {
  now(): Instant;
}

/** The part of a virtual clock that is stored and that all nodes on a database share. */
export interface ClockState {
  /** How far the clock is ahead of the real one, in milliseconds. */
  offsetMs: number;
  /** The time of a frozen clock, or null while it runs. */
  frozenAt: Instant | null;
  /** Present while a node moves the clock step by step. */
  moving?: ClockStep | undefined;
}

/** One step of a moving clock. The clock stands still until everything due at that instant is done. */
export interface ClockStep {
  at: Instant;
  /** The highest delivery id when the step began, or an empty text. Ids from the step itself are higher. */
  afterId: string;
}

/** A clock that nobody has moved. */
export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/** The same state without a step. This is the only repair needed after the node that moved the clock has died. */
export function released({ offsetMs, frozenAt }: ClockState): ClockState {
  return { offsetMs, frozenAt };
}

/** A clock that can be moved and frozen, to test what takes days. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
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

  /** The time that the clock would show in another state. */
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
