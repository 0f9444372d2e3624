/** Something that waits for its turn, and for whom. */
export interface TurnTaker {
  readonly workspaceId: string;
}

/** Turns among workspaces, and within each among those who wait there. */
export function createTurns<Taker extends TurnTaker>() {
  /** Both in the order of their turns. No set is empty. */
  const waiting = new Map<string, Set<Taker>>();

  function leave(taker: Taker): boolean {
    const there = waiting.get(taker.workspaceId);
    const left = there?.delete(taker) ?? false;
    if (there?.size === 0) waiting.delete(taker.workspaceId);
    return left;
  }

  return {
    isAnybody: () => waiting.size > 0,

    /** Whose turn it is among the workspaces that may have one; it stays where it is. */
    first(mayHaveTurn: (workspaceId: string) => boolean): Taker | undefined {
      for (const [workspaceId, takers] of waiting) {
        if (!mayHaveTurn(workspaceId)) continue;
        const [taker] = takers;
        return taker;
      }
      return undefined;
    },

    /** Goes to the end of its workspace, where it is not there already. */
    join(taker: Taker): void {
      const there = waiting.get(taker.workspaceId);
      if (there) there.add(taker);
      else waiting.set(taker.workspaceId, new Set([taker]));
    },

    leave,

    /** Leaves as one who has had its turn: its workspace goes behind the others. */
    leaveInTurn(taker: Taker): void {
      leave(taker);
      const others = waiting.get(taker.workspaceId);
      if (!others) return;
      waiting.delete(taker.workspaceId);
      waiting.set(taker.workspaceId, others);
    },
  };
}
