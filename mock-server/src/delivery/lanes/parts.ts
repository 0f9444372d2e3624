import type { InHand } from './in-hand.ts';
import type { HeldLane } from './lane.ts';
import type { Paces } from './pace.ts';
import type { Rotation } from './rotation.ts';

/** What everything that changes the lanes of this node works on. */
export interface LaneParts {
  lanes: Map<string, HeldLane>;
  inHand: InHand;
  paces: Paces;
  rotation: Rotation;
  /** Discards the deliveries of a lane that wait for a slot. They stay in the queue. */
  dropReady(lane: HeldLane): void;
}
