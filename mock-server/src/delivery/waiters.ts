/** The state of the dispatcher, which `becomeIdle` in `queue/take.ts` reports. */
export interface DispatcherState {
  /** Whether this node holds no lane, has no attempt in flight, and has stored all results. */
  isEmpty: boolean;
  /**
   * Whether the turn of any lane has come, on this node or on another node. If false, no delivery is due. While
   * `isEmpty` is false, only the turns of free lanes are considered.
   */
  isDue: boolean;
}

export type Waiters = ReturnType<typeof createWaiters>;

export function createWaiters() {
  const waiters = new Set<{ isMet(state: DispatcherState): boolean; done(met: boolean): void }>();
  let closed = false;
  return {
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

    close(): void {
      closed = true;
      for (const waiter of waiters) waiter.done(false);
    },
  };
}
