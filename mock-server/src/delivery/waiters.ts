/** What those who wait for the dispatcher look at. */
export interface DispatcherState {
  /** Whether work is claimed and attempts are started. */
  takes: boolean;
  /** No lane is held, nothing is in flight, everything is written back. */
  isEmpty: boolean;
  /** Something is due, here or at another node. */
  isDue: boolean;
}

/** Those who wait until the dispatcher has come to a certain state. */
export function createWaiters() {
  const waiters = new Set<{ isMet(state: DispatcherState): boolean; done(met: boolean): void }>();
  let closed = false;
  return {
    /** Resolves with true once a state is told in which this holds, with false when the signal is aborted before or nothing is told any more. */
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

    /** Nothing is told any more. */
    close(): void {
      closed = true;
      for (const waiter of waiters) waiter.done(false);
    },
  };
}
