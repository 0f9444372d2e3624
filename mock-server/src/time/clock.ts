import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import type { Clock, Instant } from '../domain/instant.ts';

/** A clock that can be moved and frozen, so that developers can test processes that take days. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
  /**
   * How far the clock was ahead of real time when this node started to use the clock's latest frozen state. Not stored.
   */
  #frozenOffsetMs = 0;
  /** Returns the real time: this machine's time, or the time that the nodes share. */
  readonly realNow: () => Instant;

  constructor(realNow: () => Instant = Date.now) {
    this.realNow = realNow;
  }

  get state(): ClockState {
    return this.#state;
  }

  now(): Instant {
    return this.nowIn(this.#state);
  }

  /**
   * Whether the clock stands still until a node moves it. While the clock stands still, timers for later times are
   * useless.
   */
  isStill(): boolean {
    return this.#state.frozenAt !== null || this.#state.moving !== undefined;
  }

  /** Returns the time that the clock would show in another state. */
  nowIn(state: ClockState): Instant {
    if (state.moving) return state.moving.at;
    return state.frozenAt === null ? this.realNow() + state.offsetMs : state.frozenAt;
  }

  /**
   * How far the clock is ahead of real time. For a frozen clock, this node measures the value only when it starts, and
   * when it learns that the clock was frozen or moved.
   */
  get offsetMs(): number {
    return this.#state.frozenAt === null ? this.#state.offsetMs : this.#frozenOffsetMs;
  }

  /** Continues from a state that `shared-clock.ts` has stored. */
  restore(state: ClockState): void {
    const { frozenAt } = state;
    if (frozenAt !== null && frozenAt !== this.#state.frozenAt) this.#frozenOffsetMs = frozenAt - this.realNow();
    this.#state = state;
  }

  /** Returns the state in which this clock shows the instant `at` now. A frozen clock stays frozen. */
  stateAt(at: Instant): ClockState {
    return this.#state.frozenAt === null ? { offsetMs: at - this.realNow(), frozenAt: null } : { frozenAt: at };
  }
}
