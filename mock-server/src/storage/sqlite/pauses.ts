import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long statements may hold up the event loop. */
const TURN_MAX_MS = 5;

/** Lets the event loop go on between statements that together take long. */
export function createPauses(now: () => number = () => performance.now()) {
  let turnBegan = now();
  return {
    /** The event loop has just turned. */
    turned(): void {
      turnBegan = now();
    },
    /** Called before a statement. */
    async pauseIfLong(): Promise<void> {
      if (now() - turnBegan < TURN_MAX_MS) return;
      await nextTurn();
      turnBegan = now();
    },
  };
}
