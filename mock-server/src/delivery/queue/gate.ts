import type { Timer } from '../../runtime/timers.ts';
import type { DispatcherTools } from '../tools.ts';
import { SHORTAGE_PAUSE_MS, SHORTAGE_WARNING_INTERVAL_MS } from '../tuning.ts';

export type Gate = ReturnType<typeof createGate>;

/** Decides whether this node claims lanes and starts attempts. An attempt also needs a slot (`lanes/rotation.ts`). */
export function createGate({ timers, logger }: DispatcherTools, on: { shut(): void; reopened(): void }) {
  let takes = false;
  /**
   * The timer that ends the pause after a shortage. During the pause, the node releases its lanes to other nodes.
   */
  let pause: Timer | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  return {
    isOpen: () => takes && !pause,
    /** Like `isOpen`, but stays true during a pause. */
    takes: () => takes,
    set(value: boolean): void {
      takes = value;
    },
    /** Call this when this machine has run out of a resource such as file descriptors. */
    pauseFor(shortage: string): void {
      if (pause || isStopped) return;
      if (timers.now() - warnedAt > SHORTAGE_WARNING_INTERVAL_MS) {
        warnedAt = timers.now();
        logger.warn(
          { code: shortage, retryInMs: SHORTAGE_PAUSE_MS },
          'cannot make attempts: this machine has run out of a resource',
        );
      }
      pause = timers.after(SHORTAGE_PAUSE_MS, () => {
        pause = undefined;
        on.reopened();
      });
      on.shut();
    },
    stop(): void {
      isStopped = true;
      pause?.cancel();
    },
  };
}
