/** Something that waits for its turn, and its workspace. */
export interface TurnTaker {
  readonly workspaceId: string;
}

/** Workspaces take turns, and so do the waiting lanes of each workspace. */
export function createTurns<Taker extends TurnTaker>() {
  /** Workspaces and their takers, each in the order of their turns. No set is empty. */
  const waiting = new Map<string, Set<Taker>>();

  function leave(taker: Taker): boolean {
    const there = waiting.get(taker.workspaceId);
    const left = there?.delete(taker) ?? false;
    if (there?.size === 0) waiting.delete(taker.workspaceId);
    return left;
  }

  return {
    isAnybody: () => waiting.size > 0,

    /** The taker whose turn it is, among the workspaces that may have one. It keeps its place. */
    first(mayHaveTurn: (workspaceId: string) => boolean): Taker | undefined {
      for (const [workspaceId, takers] of waiting) {
        if (!mayHaveTurn(workspaceId)) continue;
        const [taker] = takers;
        return taker;
      }
      return undefined;
    },

    /** Goes to the end of its workspace, unless it is already there. */
    join(taker: Taker): void {
      const there = waiting.get(taker.workspaceId);
      if (there) there.add(taker);
      else waiting.set(taker.workspaceId, new Set([taker]));
    },

    leave,

    /** Leaves after its turn. Its workspace moves to the end. */
    leaveInTurn(taker: Taker): void {
      leave(taker);
      const others = waiting.get(taker.workspaceId);
      if (!others) return;
      waiting.delete(taker.workspaceId);
      waiting.set(taker.workspaceId, others);
    },
  };
}
