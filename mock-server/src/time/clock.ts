import { type ClockState, REAL_TIME } from '../domain/clock-state.ts';
import type { Clock, Instant } from '../domain/instant.ts';

/** A clock that developers can move and freeze. */
export class VirtualClock implements Clock {
  #state: ClockState = REAL_TIME;
  /** The time that the clock showed just before its state last changed. */
  showedLast: Instant = 0;
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

  /** Whether the clock stands still until a node moves it. If so, timers for later times are useless. */
  isStill(): boolean {
    return this.#state.frozenAt !== null || this.#state.moving !== undefined;
  }

  /** The time that the clock would show in another state. */
  nowIn(state: ClockState): Instant {
    if (state.moving) return state.moving.at;
    return state.frozenAt === null ? this.realNow() + state.offsetMs : state.frozenAt;
  }

  /** How far the clock is ahead of real time. */
  get offsetMs(): number {
    return this.#state.frozenAt === null ? this.#state.offsetMs : this.#state.frozenAt - this.realNow();
  }

  restore(state: ClockState): void {
    this.showedLast = this.now();
    this.#state = state;
  }

  /** Returns the clock state that would make this clock show the instant `at` now. A frozen clock stays frozen. */
  stateAt(at: Instant): ClockState {
    return this.#state.frozenAt === null ? { offsetMs: at - this.realNow(), frozenAt: null } : { frozenAt: at };
  }
}

/** The clock for the engine, the evaluator, the mailer and the handlers, which must not change it. */
export type ReadOnlyClock = Omit<VirtualClock, 'restore'>;
