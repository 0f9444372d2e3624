/** A lane that waits for a slot, and its workspace. */
export interface Waiting {
  readonly workspaceId: string;
}

/** A line of lanes. Workspaces rotate, and so do the lanes of each workspace. */
export function createLine<Lane extends Waiting>() {
  /** Workspaces and their lanes, each in order. No set is empty. */
  const waiting = new Map<string, Set<Lane>>();

  function leave(lane: Lane): void {
    const there = waiting.get(lane.workspaceId);
    there?.delete(lane);
    if (there?.size === 0) waiting.delete(lane.workspaceId);
  }

  return {
    isAnybody: () => waiting.size > 0,

    /** The first lane of the workspaces that may have a slot. The lane is not taken out of its line. */
    first(mayTake: (workspaceId: string) => boolean): Lane | undefined {
      for (const [workspaceId, lanes] of waiting) {
        if (!mayTake(workspaceId)) continue;
        const [lane] = lanes;
        return lane;
      }
      return undefined;
    },

    /** Puts a lane at the end of its workspace's lanes, unless it is already in line. */
    join(lane: Lane): void {
      const there = waiting.get(lane.workspaceId);
      if (there) there.add(lane);
      else waiting.set(lane.workspaceId, new Set([lane]));
    },

    leave,

    /** Removes a lane that has got a slot. Its workspace goes to the end of the line. */
    leaveWithSlot(lane: Lane): void {
      leave(lane);
      const others = waiting.get(lane.workspaceId);
      if (!others) return;
      waiting.delete(lane.workspaceId);
      waiting.set(lane.workspaceId, others);
    },
  };
}
