import { SLOW_SHARE } from '../limits.ts';
import type { HeldLane } from './lane.ts';
import { createLine } from './line.ts';
import { createSlots } from './slots.ts';
import { kindsForSlot, type LaneKind } from './turn-order.ts';

/** The order in which lanes get the slots of this node, and those slots. */
export type Rotation = ReturnType<typeof createRotation>;

/**
 * Lanes wait in three lines, according to what comes next in them. Only lanes with a ready delivery and room in their
 * window wait.
 */
export function createRotation(concurrency: number) {
  const lines = { first: createLine(), retry: createLine(), slow: createLine() };
  /**
   * An attempt keeps its slot until its result is stored. So a node that dies causes at most one repeated attempt per
   * slot.
   */
  const slots = createSlots(concurrency);
  /** The slots that attempts in flight to slow endpoints use. */
  const slowSlots = createSlots(Math.max(1, Math.floor(concurrency * SLOW_SHARE)));
  let inFlight = 0;
  /** How many attempts have taken a slot. The kind of the next attempt depends on this number. */
  let started = 0;

  // A workspace that is skipped already has slots, so the number of skipped workspaces never exceeds the number of slots.
  const firstOf = (kind: LaneKind) =>
    lines[kind].first((id) => slots.mayTake(id) && (kind !== 'slow' || slowSlots.mayTake(id)));

  function landing(attempt: { lane: HeldLane; slow: boolean }): void {
    inFlight--;
    if (attempt.slow) slowSlots.giveBack(attempt.lane.workspaceId);
  }

  return {
    slots,

    /** Puts a lane in the line for its next delivery. A lane that waits there keeps its place. */
    join(lane: HeldLane): void {
      if (lane.ready.length > 0 && lane.inFlight < lane.pace.window) lines[kindOf(lane)].join(lane);
    },

    leave(lane: HeldLane): void {
      for (const line of Object.values(lines)) line.leave(lane);
    },

    /** Removes the lane that gets the next free slot from its line, and returns it. */
    next(): HeldLane | undefined {
      for (const kind of kindsForSlot(started + 1)) {
        const lane = firstOf(kind);
        if (!lane) continue;
        lines[kind].leaveWithSlot(lane);
        return lane;
      }
      return undefined;
    },

    /** An attempt starts and takes a slot. */
    started({ workspaceId, pace }: HeldLane): void {
      inFlight++;
      started++;
      slots.take(workspaceId);
      if (pace.slow) slowSlots.take(workspaceId);
    },

    /** An attempt has ended, but keeps its slot until its result is stored. */
    ended: landing,

    /** An attempt was not made after all. Its slot is free. */
    notMade(attempt: { lane: HeldLane; slow: boolean }): void {
      landing(attempt);
      slots.giveBack(attempt.lane.workspaceId);
    },

    /** The result of an attempt is stored. Its slot is free. */
    stored: (lane: HeldLane) => slots.giveBack(lane.workspaceId),

    /** Whether every slot that is used waits for a result to be stored. */
    isAllUnstored: () => inFlight === 0,
  };
}

function kindOf({ ready, pace }: HeldLane): LaneKind {
  if (pace.slow) return 'slow';
  return ready[0]?.delivery.place.retry === 0 ? 'first' : 'retry';
}
