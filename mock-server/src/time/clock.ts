import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import type { Clock, Instant } from '../domain/instant.ts';

/** A clock that developers can move and freeze. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
  /** How far the clock was ahead of real time when this node learned of the latest frozen state. */
  #frozenOffsetMs = 0;
  /** This machine's time, or the time that the nodes share. */
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

  /** Whether the clock stands still until a node moves it. Timers for later times are then useless. */
  isStill(): boolean {
    return this.#state.frozenAt !== null || this.#state.moving !== undefined;
  }

  /** The time that the clock would show in another state. */
  nowIn(state: ClockState): Instant {
    if (state.moving) return state.moving.at;
    return state.frozenAt === null ? this.realNow() + state.offsetMs : state.frozenAt;
  }

  /** How far the clock is ahead of real time. For a frozen clock, the value when this node learned of that state. */
  get offsetMs(): number {
    return this.#state.frozenAt === null ? this.#state.offsetMs : this.#frozenOffsetMs;
  }

  restore(state: ClockState): void {
    const { frozenAt } = state;
    if (frozenAt !== null && frozenAt !== this.#state.frozenAt) this.#frozenOffsetMs = frozenAt - this.realNow();
    this.#state = state;
  }

  /** The state in which this clock shows the instant `at` now. A frozen clock stays frozen. */
  stateAt(at: Instant): ClockState {
    return this.#state.frozenAt === null ? { offsetMs: at - this.realNow(), frozenAt: null } : { frozenAt: at };
  }
}
