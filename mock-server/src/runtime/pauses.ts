import { setImmediate as nextPass } from 'node:timers/promises';

const PASS_MAX_MS = 5;

export type Pauses = ReturnType<typeof createPauses>;

/**
 * Lets the event loop run between steps of long work. Each pass of the event loop resumes only one of the waiting
 * tasks.
 */
export function createPauses(now: () => number = () => performance.now()) {
  let passBeganAt = now();
  let lastPause = Promise.resolve();
  /** Call this when a new pass of the event loop has begun. */
  const passBegan = () => {
    passBeganAt = now();
  };
  return {
    passBegan,
    async pauseIfLong(): Promise<void> {
      if (now() - passBeganAt < PASS_MAX_MS) return;
      lastPause = lastPause.then(() => nextPass()).then(passBegan);
      await lastPause;
    },
  };
}
