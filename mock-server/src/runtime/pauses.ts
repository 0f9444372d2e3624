import { setImmediate as nextPass } from 'node:timers/promises';

/** How long work may block the event loop. */
const TURN_MAX_MS = 5;

/** Lets the event loop run between steps of work that together take a long time. */
export interface Pauses {
  /** Call this when a new pass of the event loop has begun. */
  turned(): void;
  /** Pauses if the current pass of the event loop has taken too long. Call this before each step. */
  pauseIfLong(): Promise<void>;
}

/** If several tasks share one `Pauses`, only one task continues in each pass of the event loop. */
export function createPauses(now: () => number = () => performance.now()): Pauses {
  let turnBegan = now();
  let lastPause = Promise.resolve();
  const turned = () => {
    turnBegan = now();
  };
  return {
    turned,
    async pauseIfLong() {
      if (now() - turnBegan < TURN_MAX_MS) return;
      lastPause = lastPause.then(() => nextPass()).then(turned);
      await lastPause;
    },
  };
}
