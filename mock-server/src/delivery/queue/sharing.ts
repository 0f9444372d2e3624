import type { Timers } from '../../runtime/timers.ts';
import { SHARE_ASKED_INTERVAL_MS, SHARING_MS } from '../limits.ts';

/** The other nodes on the same database. */
export interface OtherNodes {
  /**
   * Reports that this node is idle and that other nodes hold lanes with due work. The other nodes may share those
   * lanes.
   */
  askForShare(): void;
  /** Reports that lanes are free to claim. */
  tellOfLanes(): void;
}

/** Gives lanes to idle nodes, and asks for lanes when this node is idle. */
export function createSharing({ timers, otherNodes }: { timers: Timers; otherNodes: OtherNodes | undefined }) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let begunAt = Number.NEGATIVE_INFINITY;
  return {
    /** Whether this node leaves free lanes to others at the moment. */
    isActive: () => timers.now() - begunAt < SHARING_MS,
    begin(): void {
      begunAt = timers.now();
    },
    /** Asks the other nodes for lanes, but not too often. */
    ask(): void {
      if (timers.now() - askedAt < SHARE_ASKED_INTERVAL_MS) return;
      askedAt = timers.now();
      otherNodes?.askForShare();
    },
    tellOfLanes: () => otherNodes?.tellOfLanes(),
  };
}

/** Gives lanes to idle nodes, and asks for lanes when this node is idle. */
export type Sharing = ReturnType<typeof createSharing>;
