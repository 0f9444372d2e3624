import type { HeldLane } from './lane.ts';

/** Creates a line of lanes that wait for a slot. Workspaces take turns, and so do the lanes of each workspace. */
export function createLine() {
  /** Workspaces and their lanes, each in order. No set is empty. */
  const waiting = new Map<string, Set<HeldLane>>();

  function leave(lane: HeldLane): void {
    const there = waiting.get(lane.workspaceId);
    there?.delete(lane);
    if (there?.size === 0) waiting.delete(lane.workspaceId);
  }

  return {
    /** The first lane of the workspaces that may have a slot. The lane keeps its place. */
    first(mayTake: (workspaceId: string) => boolean): HeldLane | undefined {
      for (const [workspaceId, lanes] of waiting) {
        if (!mayTake(workspaceId)) continue;
        const [lane] = lanes;
        return lane;
      }
      return undefined;
    },

    /** Puts a lane at the end of its workspace's lanes, unless it is already in line. */
    join(lane: HeldLane): void {
      const there = waiting.get(lane.workspaceId);
      if (there) there.add(lane);
      else waiting.set(lane.workspaceId, new Set([lane]));
    },

    leave,

    /** Removes a lane that has got a slot. Its workspace goes to the end of the line. */
    leaveWithSlot(lane: HeldLane): void {
      leave(lane);
      const others = waiting.get(lane.workspaceId);
      if (!others) return;
      waiting.delete(lane.workspaceId);
      waiting.set(lane.workspaceId, others);
    },
  };
}
