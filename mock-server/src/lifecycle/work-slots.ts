import { setTimeout as sleep } from 'node:timers/promises';

/** Syncs have separate slots, because a sync mostly waits for another server. */
const SLOTS = { evaluation: 4, sync: 8 } as const;
/** How often `until` repeats its test, because nothing notifies this node when work on another node ends. */
const LOOK_MS = 10;

export type Work = keyof typeof SLOTS;

export type Slots = ReturnType<typeof createWorkSlots>;

/** @param isRepeatable - Whether only one workspace at a time may hold a slot, so that every run has the same order. */
export function createWorkSlots(isRepeatable = false) {
  const held = new Map<string, Work>();
  const listeners = new Set<() => void>();
  let underWay = 0;

  /** A closing node waits for all work: due work, which needs a slot, and requested work, which does not. */
  async function count<Result>(act: () => Promise<Result>): Promise<Result> {
    underWay++;
    try {
      return await act();
    } finally {
      underWay--;
      for (const listener of listeners) listener();
    }
  }

  return {
    /** Returns the number of free slots. */
    free(work: Work): number {
      return isRepeatable ? 1 - held.size : SLOTS[work] - [...held.values()].filter((one) => one === work).length;
    },
    workspaces: () => [...held.keys()],
    /** Before calling this, check that a slot is free. */
    run<Result>(workspaceId: string, work: Work, act: () => Promise<Result>): Promise<Result> {
      held.set(workspaceId, work);
      return count(() => act().finally(() => held.delete(workspaceId)));
    },
    count,
    isQuiet: () => underWay === 0,
    /** Resolves to true once `test` returns true, and to false if the signal is aborted first. */
    async until(test: () => Promise<boolean> | boolean, signal?: AbortSignal): Promise<boolean> {
      for (;;) {
        if (await test()) return true;
        if (signal?.aborted) return false;
        const changed = Promise.withResolvers<void>();
        listeners.add(changed.resolve);
        await Promise.race([changed.promise, sleep(LOOK_MS, undefined, { signal }).catch(() => {})]);
        listeners.delete(changed.resolve);
      }
    },
  };
}
