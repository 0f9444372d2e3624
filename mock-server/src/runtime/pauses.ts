import { setImmediate as nextPass } from 'node:timers/promises';

const TURN_MAX_MS = 5;

export type Pauses = ReturnType<typeof createPauses>;

/**
 * Lets the event loop run between steps of long work. Each pass of the event loop resumes only one of the waiting
 * tasks.
 */
export function createPauses(now: () => number = () => performance.now()) {
  let turnBegan = now();
  let lastPause = Promise.resolve();
  /** Call this when a new pass of the event loop has begun. */
  const turned = () => {
    turnBegan = now();
  };
  return {
    turned,
    async pauseIfLong(): Promise<void> {
      if (now() - turnBegan < TURN_MAX_MS) return;
      lastPause = lastPause.then(() => nextPass()).then(turned);
      await lastPause;
    },
  };
}
