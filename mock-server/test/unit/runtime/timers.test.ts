import { describe, expect, it, vi } from 'vitest';
import { createElapsedTime, processTimers } from '../../../src/runtime/timers.ts';

/** A machine whose clocks the test moves. */
function createMachine() {
  let monotonic = 5_000;
  let system = 1_700_000_000_000;
  const elapsed = createElapsedTime(
    () => monotonic,
    () => system,
  );
  const begun = elapsed();
  return {
    elapsed: () => elapsed() - begun,
    run(ms: number): void {
      monotonic += ms;
      system += ms;
    },
    suspend(ms: number): void {
      system += ms;
    },
    setSystemClock(byMs: number): void {
      system += byMs;
    },
  };
}

describe('The time that has elapsed', () => {
  it('is that of the monotonic clock while the machine runs', () => {
    const machine = createMachine();
    machine.run(1_234.5);
    expect(machine.elapsed()).toBe(1_234.5);
  });

  it('includes the time during which the machine was suspended', () => {
    const machine = createMachine();
    machine.run(100);
    machine.suspend(30_000);
    machine.run(100);
    expect(machine.elapsed()).toBe(30_200);
  });

  it('never goes back, and loses nothing, if the system clock is set back', () => {
    const machine = createMachine();
    machine.run(100);
    machine.setSystemClock(-3_600_000);
    machine.run(100);
    expect(machine.elapsed()).toBe(200);
    machine.suspend(30_000);
    expect(machine.elapsed()).toBe(30_200);
  });

  it('ignores small corrections of the system clock', () => {
    const machine = createMachine();
    for (let second = 0; second < 100; second++) {
      machine.setSystemClock(second % 2 === 0 ? 900 : -900);
      machine.run(1_000);
      machine.elapsed();
    }
    expect(machine.elapsed()).toBe(100_000);
  });

  it('of this process includes suspensions', () => {
    const before = processTimers.now();
    const now = Date.now();
    vi.spyOn(Date, 'now').mockReturnValue(now + 30_000);
    expect(processTimers.now() - before).toBeGreaterThanOrEqual(29_000);
    vi.mocked(Date.now).mockRestore();
  });
});
