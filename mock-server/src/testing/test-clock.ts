import type { ClockChanged } from '@svc/contract/control/resources';
import type { ControlClient } from '../control-client/client.ts';

/**
 * The service's virtual clock. Moving it runs the work that becomes due in that time, each piece at its own time.
 * Deliveries are always signed with the real time, so a receiver needs no special clock.
 */
export interface TestClock {
  now(): Promise<Date>;
  /** @param duration - Such as `30m`, `12h`, `3d` or ISO 8601. */
  advance(duration: string): Promise<ClockChanged>;
  /** Moves the clock forward to an instant. The clock cannot go back. */
  set(instant: Date | string): Promise<ClockChanged>;
  /** Freezes the clock at its current time. Due work still runs. */
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
