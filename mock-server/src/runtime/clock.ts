/** Milliseconds since the epoch, on the virtual clock unless a name says otherwise. */
export type Instant = number;

/** Tells the time that stored timestamps, retry schedules and secret expiry go by. */
export interface Clock {
  now(): Instant;
}

/** What of a virtual clock outlives the process. */
export interface ClockState {
  /** How far the clock is ahead of the real one, in milliseconds. Never negative. */
  offsetMs: number;
  /** Where it stands still, or null while it runs. */
  frozenAt: Instant | null;
}

/** The clock that nobody has moved. */
export const REAL_TIME: ClockState = { offsetMs: 0, frozenAt: null };

/** A clock that can be moved forwards and stopped, for tests of what takes days. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
  #heldAt: Instant | null = null;
  readonly #realNow: () => Instant;

  constructor(realNow: () => Instant = Date.now) {
    this.#realNow = realNow;
  }

  /** The time that the virtual one is counted from: of the machine, or of the fleet that it belongs to. */
  realNow(): Instant {
    return this.#realNow();
  }

  get state(): ClockState {
    return this.#state;
  }

  now(): Instant {
    return this.#heldAt ?? this.unheldNow();
  }

  /** The time where it is not held here: by which other nodes go meanwhile. */
  unheldNow(): Instant {
    return this.#state.frozenAt ?? this.#realNow() + this.#state.offsetMs;
  }

  restore(state: ClockState): void {
    this.#state = state;
  }

  /** Stands still at `at` while the work that is due then is run; `moveTo` or `release` ends it. */
  hold(at: Instant): void {
    this.#heldAt = at;
  }

  release(): void {
    this.#heldAt = null;
  }

  /** Goes on from `at`, frozen if it was frozen. */
  moveTo(at: Instant): void {
    this.#state = { offsetMs: at - this.#realNow(), frozenAt: this.#state.frozenAt === null ? null : at };
    this.#heldAt = null;
  }

  freeze(): void {
    this.#state = { ...this.#state, frozenAt: this.now() };
  }

  /** Back to the real clock, running. */
  reset(): void {
    this.#state = REAL_TIME;
    this.#heldAt = null;
  }
}
