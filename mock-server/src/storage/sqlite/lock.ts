export type Lock = ReturnType<typeof createLock>;

/** Waits until every earlier caller has had the lock and released it. */
export async function endOf(lock: Lock): Promise<void> {
  using _held = await lock.acquire();
}

/** A lock within the process; `config/data-folder.ts` locks out other processes. Callers get the lock in turn. */
export function createLock() {
  const waiting: { shares: boolean; resolve(held: Disposable): void }[] = [];
  let holders = 0;
  let isShared = false;

  function admit(): void {
    for (let next = waiting[0]; next && (holders === 0 || (isShared && next.shares)); next = waiting[0]) {
      waiting.shift();
      holders++;
      isShared = next.shares;
      next.resolve({ [Symbol.dispose]: release });
    }
  }

  function release(): void {
    holders--;
    admit();
  }

  function wait(shares: boolean): Promise<Disposable> {
    return new Promise((resolve) => {
      waiting.push({ shares, resolve });
      admit();
    });
  }

  return {
    /** Resolves once the caller is the only holder of the lock. Disposing of the result releases the lock. */
    acquire: () => wait(false),
    /** Resolves once the caller has the lock. Other callers of `acquireShared` may hold the lock at the same time. */
    acquireShared: () => wait(true),
  };
}
