import type { Instant } from '../domain/instant.ts';

/** How long the reads of each source have held up the current move of the clock. */
export interface MoveBudget {
  /**
   * Counts a read.
   *
   * @param ms - How long it took, in real time.
   * @param target - Where the clock moves to, or undefined if it does not move.
   * @returns Whether the source has used up its time in this move.
   */
  spend(workspaceId: string, ms: number, target: Instant | undefined): boolean;
}

/** @param maxMs - How long a source may hold up one move. */
export function createMoveBudget(maxMs: number): MoveBudget {
  const spentMs = new Map<string, number>();
  /** The move that the times belong to. The next move ends later. */
  let current: Instant | undefined;
  return {
    spend(workspaceId, ms, target) {
      if (target !== current) spentMs.clear();
      current = target;
      if (target === undefined) return false;
      const total = (spentMs.get(workspaceId) ?? 0) + ms;
      spentMs.set(workspaceId, total);
      return total >= maxMs;
    },
  };
}
