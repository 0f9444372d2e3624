import { SLOW_PART } from '../tuning.ts';
import { kindsForSlot, type LaneKind } from './attempt-order.ts';
import type { HeldLane } from './lane.ts';
import { createSlots } from './slots.ts';

export type Rotation = ReturnType<typeof createRotation>;

/**
 * Assigns this node's slots. A lane is in one of three waiting lines as long as the lane has a ready delivery and the
 * endpoint's limit allows another attempt.
 */
export function createRotation(concurrency: number) {
  const lines = { first: createLine(), retry: createLine(), slow: createLine() };
  /**
   * An attempt keeps its slot until its result is stored. So if a node dies, other nodes repeat at most one attempt for
   * each slot of the dead node.
   */
  const slots = createSlots(concurrency);
  /** An attempt to a slow endpoint also needs one of these slots, but only until the attempt ends. */
  const slowSlots = createSlots(Math.max(1, Math.floor(concurrency * SLOW_PART)));
  let sending = 0;
  /** How many attempts have taken a slot so far. This number determines the kind of the next attempt. */
  let started = 0;

  // Call this only while slots are free. The search is then fast: it skips only workspaces that already have slots.
  function firstOf(kind: LaneKind): HeldLane | undefined {
    if (kind !== 'slow') return lines[kind].first(slots.mayTake);
    if (slowSlots.used() >= slowSlots.total) return undefined;
    return lines.slow.first((id) => slots.mayTake(id) && slowSlots.mayTake(id), slowSlots.heldBy);
  }

  function landing(attempt: { lane: HeldLane; slow: boolean }): void {
    sending--;
    if (attempt.slow) slowSlots.free(attempt.lane.workspaceId);
  }

  return {
    slots,

    /** A lane that is already waiting keeps its place. */
    join(lane: HeldLane): void {
      if (lane.ready.length > 0 && lane.sending < lane.pace.window) lines[kindOf(lane)].join(lane);
    },

    leave(lane: HeldLane): void {
      for (const line of Object.values(lines)) line.leave(lane);
    },

    /** Returns the lane that gets the next free slot, and removes the lane from the line of waiting lanes. */
    next(): HeldLane | undefined {
      if (slots.used() >= slots.total) return undefined;
      for (const kind of kindsForSlot(started + 1)) {
        const lane = firstOf(kind);
        if (!lane) continue;
        lines[kind].leaveWithSlot(lane);
        return lane;
      }
      return undefined;
    },

    started({ workspaceId, pace }: HeldLane): void {
      sending++;
      started++;
      slots.take(workspaceId);
      if (pace.slow) slowSlots.take(workspaceId);
    },

    /** Call this when an attempt ends. The attempt keeps its slot until its result is stored. */
    ended: landing,

    notMade(attempt: { lane: HeldLane; slow: boolean }): void {
      landing(attempt);
      slots.free(attempt.lane.workspaceId);
    },

    stored: (lane: HeldLane) => slots.free(lane.workspaceId),

    /** Whether all used slots belong to attempts that have ended. */
    isAllUnstored: () => sending === 0,
  };
}

function kindOf({ ready, pace }: HeldLane): LaneKind {
  if (pace.slow) return 'slow';
  return ready[0]?.delivery.place.retry === 0 ? 'first' : 'retry';
}

/** Creates a line of waiting lanes. Workspaces get slots in rotation, and so do the lanes of each workspace. */
function createLine() {
  /** The waiting lanes of each workspace. The first of these lanes gets the workspace's next slot. */
  const waiting = new Map<string, Set<HeldLane>>();

  function leave(lane: HeldLane): void {
    const there = waiting.get(lane.workspaceId);
    there?.delete(lane);
    if (there?.size === 0) waiting.delete(lane.workspaceId);
  }

  return {
    /**
     * Finds the first workspace that may take a slot, and returns its first lane. With `heldBy`, the workspace with the
     * fewest slots comes first, so that workspaces with long attempts do not get more and more of the slots.
     */
    first(
      mayTake: (workspaceId: string) => boolean,
      heldBy: (workspaceId: string) => number = () => 0,
    ): HeldLane | undefined {
      let fewest = Number.POSITIVE_INFINITY;
      let found: HeldLane | undefined;
      for (const [workspaceId, lanes] of waiting) {
        const held = heldBy(workspaceId);
        if (held >= fewest || !mayTake(workspaceId)) continue;
        [found] = lanes;
        if (held === 0) break;
        fewest = held;
      }
      return found;
    },

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
