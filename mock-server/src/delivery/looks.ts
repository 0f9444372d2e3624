import type { Timer, Timers } from '../runtime/timers.ts';
import { TAKE_DELAY_MS } from './limits.ts';

/** Timers for the next look at the queue. */
export function createLookTimers({ timers, look, take }: { timers: Timers; look(): void; take(): void }) {
  let next: Timer | undefined;
  let soon: Timer | undefined;
  let isStopped = false;
  return {
    /** Looks after this time, in case nothing asks for a look earlier. */
    lookIn(ms: number): void {
      next?.cancel();
      // Do not keep the process alive for an idle server.
      if (!isStopped) next = timers.after(ms, look, { keepsAlive: false });
    },
    cancelNext: () => next?.cancel(),
    /** Combines the hints of a few milliseconds into one take. */
    takeSoon(): void {
      if (isStopped) return;
      soon ??= timers.after(TAKE_DELAY_MS, () => {
        soon = undefined;
        take();
      });
    },
    stop(): void {
      isStopped = true;
      next?.cancel();
      soon?.cancel();
    },
  };
}
