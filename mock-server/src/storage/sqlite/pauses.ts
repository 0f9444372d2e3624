import { setImmediate as nextPass } from 'node:timers/promises';

/** How long statements may block the event loop. */
const TURN_MAX_MS = 5;

/** Lets the event loop run between statements that together take long. */
export function createPauses(now: () => number = () => performance.now()) {
  let turnBegan = now();
  return {
    /** A new pass of the event loop has begun. */
    turned(): void {
      turnBegan = now();
    },
    /** Call this before each statement. */
    async pauseIfLong(): Promise<void> {
      if (now() - turnBegan < TURN_MAX_MS) return;
      await nextPass();
      turnBegan = now();
    },
  };
}
