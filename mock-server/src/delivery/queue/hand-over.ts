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
  /** Whether this node claims no lanes now, and leaves free lanes to other nodes. */
  const isActive = () => timers.now() - begunAt < HAND_OVER_MS;
  return {
    isActive,
    begin(): void {
      begunAt = timers.now();
    },
    /**
     * Asks at most four times a second. Does not ask while this node leaves lanes to the others: two nodes could leave
     * the same lanes to each other, and no node would claim them.
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
