import type { Timers } from '../../runtime/timers.ts';
import { HAND_OVER_MS, LANES_ASKED_INTERVAL_MS } from '../tuning.ts';

export interface OtherNodes {
  /** Called when this node is idle although deliveries are due. */
  askForLanes(): void;
  tellOfLanes(): void;
}

/** Hands lanes over to idle nodes, and asks for lanes when this node is idle. */
export function createHandOver({ timers, otherNodes }: { timers: Timers; otherNodes?: OtherNodes | undefined }) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let begunAt = Number.NEGATIVE_INFINITY;
  /** Whether this node currently claims no lanes, so that other nodes can claim the free lanes. */
  const isActive = () => timers.now() - begunAt < HAND_OVER_MS;
  return {
    isActive,
    begin(): void {
      begunAt = timers.now();
    },
    /**
     * Asks for lanes at most four times a second. Does not ask while this node leaves lanes to other nodes. Otherwise,
     * two nodes could leave the same lanes to each other, and neither node would claim these lanes.
     */
    ask(): void {
      if (isActive() || timers.now() - askedAt < LANES_ASKED_INTERVAL_MS) return;
      askedAt = timers.now();
      otherNodes?.askForLanes();
    },
    tellOfLanes: () => otherNodes?.tellOfLanes(),
  };
}

export type HandOver = ReturnType<typeof createHandOver>;
