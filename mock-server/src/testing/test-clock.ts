import type { ClockChanged } from '@svc/contract/control/resources';
import type { ControlClient } from '../control-client/client.ts';

/**
 * The service's virtual clock. Moving the clock runs all work that becomes due in that time, in order, at the virtual
 * time at which it is due. Deliveries are always signed with the real time, so a receiver needs no special clock.
 */
export interface TestClock {
  now(): Promise<Date>;
  /** @param duration - A duration such as `30m`, `12h` or `3d`, or in ISO 8601. */
  advance(duration: string): Promise<ClockChanged>;
  /** Moves the clock forward to a given time. The clock cannot go back. */
  set(instant: Date | string): Promise<ClockChanged>;
  /** Freezes the clock at its current time. Due work still runs. */
  freeze(): Promise<ClockChanged>;
  /** Returns the clock to real time. */
  reset(): Promise<ClockChanged>;
}

export function createTestClock(control: Pick<ControlClient, 'readClock' | 'changeClock'>): TestClock {
  return {
    now: async () => new Date((await control.readClock()).now),
    advance: (duration) => control.changeClock({ advance: duration }),
    set: (instant) => control.changeClock({ set: typeof instant === 'string' ? instant : instant.toISOString() }),
    freeze: () => control.changeClock({ freeze: true }),
    reset: () => control.changeClock({ reset: true }),
  };
}
