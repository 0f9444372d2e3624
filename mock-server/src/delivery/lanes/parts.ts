import type { InHand } from './in-hand.ts';
import type { HeldLane } from './lane.ts';
import type { Paces } from './pace.ts';
import type { Rotation } from './rotation.ts';

/** The data that all code that changes this node's lanes shares. */
export interface LaneParts {
  lanes: Map<string, HeldLane>;
  inHand: InHand;
  paces: Paces;
  rotation: Rotation;
  /** Discards a lane's deliveries that are waiting for a slot, but leaves them in the queue. */
  dropReady(lane: HeldLane): void;
}
