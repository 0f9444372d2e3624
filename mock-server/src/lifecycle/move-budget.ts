import type { Instant } from '../domain/instant.ts';

/** Tracks how long the reads of each source have held up the current move of the clock. */
export interface MoveBudget {
  /**
   * Adds the duration of one read to the total of its source.
   *
   * @param ms - The duration of the read, in real time.
   * @param target - The target time of the current move. `undefined` if the clock is not moving.
   * @returns Whether the source has used up its time in this move.
   */
  spend(workspaceId: string, ms: number, target: Instant | undefined): boolean;
}

/** @param maxMs - How long a source may hold up one move. */
export function createMoveBudget(maxMs: number): MoveBudget {
  const spentMs = new Map<string, number>();
  /** The target time of the move to which `spentMs` belongs. The next move has a later target. */
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
