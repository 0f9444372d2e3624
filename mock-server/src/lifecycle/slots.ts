/**
 * The maximum number of workspaces that one node works on at a time. A sync waits for somebody else's server, so it
 * does not use an evaluation slot. An evaluation after a sync moves to an evaluation slot.
 */
const SLOTS = { evaluation: 4, sync: 8 } as const;
/** How often to look while someone waits for other nodes. */
const LOOK_MS = 10;

/** A kind of work. */
export type Work = keyof typeof SLOTS;

/** The work of a node. It owns the slots, and informs callers that wait for a change. */
export interface Slots {
  free(work: Work): number;
  /** The workspaces that hold a slot. */
  workspaces(): string[];
  heldBy(workspaceId: string): Work | undefined;
  /** Runs work in a slot. First check that a slot is free. */
  run<Result>(workspaceId: string, work: Work, act: () => Promise<Result>): Promise<Result>;
  /** Changes the kind of a slot that is held. Does nothing for requested work, which holds no slot. */
  change(workspaceId: string, work: Work): void;
  /** Runs requested work without a slot, so that closing waits for it. */
  count<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Whether no work is under way, with or without a slot. */
  isQuiet(): boolean;
  /** Resolves to true once `test` is true, and to false if the signal is aborted first. */
  until(test: () => Promise<boolean> | boolean, signal: AbortSignal): Promise<boolean>;
}

export function createSlots(): Slots {
  const held = new Map<string, Work>();
  const listeners = new Set<() => void>();
  let underWay = 0;

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  async function count<Result>(act: () => Promise<Result>): Promise<Result> {
    underWay++;
    try {
      return await act();
    } finally {
      underWay--;
      tell();
    }
  }

  return {
    free: (work) => SLOTS[work] - [...held.values()].filter((one) => one === work).length,
    workspaces: () => [...held.keys()],
    heldBy: (workspaceId) => held.get(workspaceId),
    run: (workspaceId, work, act) => {
      held.set(workspaceId, work);
      return count(() => act().finally(() => held.delete(workspaceId)));
    },
    change(workspaceId, work) {
      if (held.has(workspaceId)) held.set(workspaceId, work);
    },
    count,
    isQuiet: () => underWay === 0,
    /** Runs `test` whenever work ends on this node, and at intervals. */
    async until(test, signal) {
      for (;;) {
        if (await test()) return true;
        if (signal.aborted) return false;
        const changed = Promise.withResolvers<void>();
        listeners.add(changed.resolve);
        signal.addEventListener('abort', changed.resolve as () => void);
        const look = setTimeout(changed.resolve, LOOK_MS);
        await changed.promise;
        clearTimeout(look);
        listeners.delete(changed.resolve);
        signal.removeEventListener('abort', changed.resolve as () => void);
      }
    },
  };
}
