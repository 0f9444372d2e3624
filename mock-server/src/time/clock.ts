import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import type { Clock, Instant } from '../domain/instant.ts';

/** A clock that can be moved and frozen, to test what takes days. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
  /** The offset is not stored, because a clock that stands still moves away from the real one. */
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

  /** Whether the time stays the same until somebody moves the clock. If so, a timer for a later time is useless. */
  isStill(): boolean {
    return this.#state.frozenAt !== null || this.#state.moving !== undefined;
  }

  /** The time that the clock would show in another state. */
  nowIn(state: ClockState): Instant {
    if (state.moving) return state.moving.at;
    return state.frozenAt === null ? this.#realNow() + state.offsetMs : state.frozenAt;
  }

  /**
   * How far the clock is ahead of the real one, in milliseconds. For a frozen clock: at the moment when it got its
   * time.
   */
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
