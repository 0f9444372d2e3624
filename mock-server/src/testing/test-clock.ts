import type { ControlClient } from '../control-client/client.ts';
import type { ClockChanged } from '../control-client/types.ts';

/**
 * The service's virtual clock. Moving it runs what falls due on the way, each at its own time. Deliveries are signed with
 * the real time all the same, so a receiver needs no clock of its own.
 */
export interface TestClock {
  now(): Promise<Date>;
  /** @param duration - Such as `30m`, `12h`, `3d` or ISO 8601. */
  advance(duration: string): Promise<ClockChanged>;
  /** Moves the clock forward to an instant; it never goes back. */
  set(instant: Date | string): Promise<ClockChanged>;
  /** Stops the clock where it is. What is due still runs. */
  freeze(): Promise<ClockChanged>;
  /** Returns to the real time. */
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
