import type { Timer } from '../../runtime/timers.ts';
import type { DispatcherTools } from '../tools.ts';
import { SHORTAGE_PAUSE_MS, SHORTAGE_WARNING_INTERVAL_MS } from '../tuning.ts';

export type Gate = ReturnType<typeof createGate>;

/**
 * Decides whether this node takes work: whether it claims lanes and starts attempts.
 *
 * @param on.shut - Called when a pause for a shortage begins.
 * @param on.reopened - Called when a pause for a shortage has ended.
 */
export function createGate({ timers, logger }: DispatcherTools, on: { shut(): void; reopened(): void }) {
  let takes = false;
  /**
   * The timer of a pause, during which this node lacks a resource for attempts. During the pause, this node releases
   * its lanes, so that other nodes can claim them.
   */
  let pause: Timer | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  return {
    /** Whether this node takes work now. */
    isOpen: () => takes && !pause,
    /** Whether this node takes work. The value stays true during a pause for a shortage. */
    takes: () => takes,
    set(value: boolean): void {
      takes = value;
    },
    /** Stops taking work for a second, because this machine has run out of a resource such as file descriptors. */
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
