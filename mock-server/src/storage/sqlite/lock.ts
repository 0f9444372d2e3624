/** A lock within the process. */
export type Lock = ReturnType<typeof createLock>;

/** Creates a lock within the process. Callers get the lock in the order in which they ask for it. */
export function createLock() {
  const waiting: { shares: boolean; resolve(): void }[] = [];
  let holders = 0;
  let isShared = false;

  function admit(): void {
    for (let next = waiting[0]; next && (holders === 0 || (isShared && next.shares)); next = waiting[0]) {
      waiting.shift();
      holders++;
      isShared = next.shares;
      next.resolve();
    }
  }

  function wait(shares: boolean): Promise<void> {
    return new Promise((resolve) => {
      waiting.push({ shares, resolve });
      admit();
    });
  }

  return {
    /** Resolves once the caller is the only holder of the lock. */
    acquire: () => wait(false),
    /**
     * Resolves once the caller has the lock, which it may share with other callers of `acquireShared`. Earlier callers
     * of `acquire` get the lock first.
     */
    acquireShared: () => wait(true),
    release(): void {
      holders--;
      admit();
    },
  };
}
