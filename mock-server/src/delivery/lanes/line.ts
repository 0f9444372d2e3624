import type { HeldLane } from './lane.ts';

/** Creates a line of lanes that wait for a slot. Workspaces take turns, and so do the lanes of each workspace. */
export function createLine() {
  /**
   * The workspaces and their waiting lanes, both in the order of their turns. A workspace without waiting lanes has no
   * entry.
   */
  const waiting = new Map<string, Set<HeldLane>>();

  function leave(lane: HeldLane): void {
    const there = waiting.get(lane.workspaceId);
    there?.delete(lane);
    if (there?.size === 0) waiting.delete(lane.workspaceId);
  }

  return {
    /** Returns the first lane of the first workspace that may take a slot. The lane keeps its place in the line. */
    first(mayTake: (workspaceId: string) => boolean): HeldLane | undefined {
      for (const [workspaceId, lanes] of waiting) {
        if (!mayTake(workspaceId)) continue;
        const [lane] = lanes;
        return lane;
      }
      return undefined;
    },

    /** Puts a lane at the end of its workspace's lanes, unless the lane is already in the line. */
    join(lane: HeldLane): void {
      const there = waiting.get(lane.workspaceId);
      if (there) there.add(lane);
      else waiting.set(lane.workspaceId, new Set([lane]));
    },

    leave,

    /** Removes a lane that got a slot. The lane's workspace moves to the end of the line. */
    leaveWithSlot(lane: HeldLane): void {
      leave(lane);
      const others = waiting.get(lane.workspaceId);
      if (!others) return;
      waiting.delete(lane.workspaceId);
      waiting.set(lane.workspaceId, others);
    },
  };
}
