/** The state that waiters check. */
export interface DispatcherState {
  /** Whether the dispatcher claims work and starts attempts. */
  takes: boolean;
  /** No lane is held, nothing is in flight and everything is written back. */
  isEmpty: boolean;
  /** Something is due, here or on another node. */
  isDue: boolean;
}

/** Waiters for a state of the dispatcher. */
export function createWaiters() {
  const waiters = new Set<{ isMet(state: DispatcherState): boolean; done(met: boolean): void }>();
  let closed = false;
  return {
    /**
     * Resolves to true once a reported state meets the condition. Resolves to false if the signal is aborted or the
     * waiters are closed first.
     */
    until(isMet: (state: DispatcherState) => boolean, signal?: AbortSignal): Promise<boolean> {
      return new Promise((resolve) => {
        const waiter = { isMet, done: settle };
        const giveUp = () => settle(false);
        function settle(met: boolean): void {
          waiters.delete(waiter);
          signal?.removeEventListener('abort', giveUp);
          resolve(met);
        }
        if (closed || signal?.aborted) return resolve(false);
        signal?.addEventListener('abort', giveUp);
        waiters.add(waiter);
      });
    },

    isAnybody: () => waiters.size > 0,

    tell(state: DispatcherState): void {
      for (const waiter of waiters) if (waiter.isMet(state)) waiter.done(true);
    },

    /** Stops all waiting. No state is reported after this. */
    close(): void {
      closed = true;
      for (const waiter of waiters) waiter.done(false);
    },
  };
}
