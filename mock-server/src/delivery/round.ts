import type { Instant } from '../runtime/clock.ts';
import type { Ids } from '../runtime/ids.ts';
import type { Queries } from '../storage/port.ts';
import { type ClaimedLane, claimLanes } from '../storage/statements/claim-lanes.ts';
import type { AutoDisabledEndpoint } from '../storage/statements/count-consecutive-failures.ts';
import { extendLeases } from '../storage/statements/extend-leases.ts';
import { type LaneTurns, laneTurns } from '../storage/statements/lane-turns.ts';
import { lockLanes } from '../storage/statements/lock-lanes.ts';
import { releaseLanes } from '../storage/statements/release-lanes.ts';
import { LEASE_MS } from './limits.ts';
import { type TakenDeliveries, takeDue } from './take-due.ts';
import { type HeldAttempt, writeBack } from './write-back.ts';

/** A lane that the dispatcher holds, and what it wants with it. */
export interface LaneInRound extends ClaimedLane {
  /** Free slots to be filled. */
  room: number;
  /** Deliveries in hand once this round's results are written: while there are any, the lane is kept. */
  inHand: number;
  /** Whether the lease runs short. */
  extend: boolean;
}

/** What one round is to do. */
export interface RoundOrder {
  now: Instant;
  finished: readonly HeldAttempt[];
  /** Whether a round with some of these failed, and may have been written all the same. */
  mayBeWritten: boolean;
  lanes: readonly LaneInRound[];
  /** How many more lanes to claim, and how many deliveries to take from each. */
  claim: { lanes: number; room: number };
  isInHand(deliveryId: string): boolean;
}

/** What one round did. */
export interface RoundReport {
  claimed: ClaimedLane[];
  /** By endpoint, for lanes held before and lanes claimed now. */
  taken: Map<string, TakenDeliveries>;
  /** Lanes in which more may be due than there was room for. */
  withMore: Set<string>;
  released: string[];
  /** Lanes whose lease was lost to another node. */
  lost: string[];
  autoDisabled: AutoDisabledEndpoint[];
  turns: LaneTurns;
}

/**
 * One exchange between dispatcher and database, inside one transaction: writes finished attempts back, claims lanes
 * whose turn has come, takes what is due in all that are held, and gives those back that have nothing left to do.
 */
export async function runRound(queries: Queries, ids: Ids, order: RoundOrder): Promise<RoundReport> {
  const { now, finished, lanes, claim } = order;
  // Lanes are touched before the queue in every transaction: `insertDeliveries` says why.
  const tokens = await lockLanes(queries, [
    ...new Set([...lanes.map((lane) => lane.endpointId), ...finished.map(({ delivery }) => delivery.endpointId)]),
  ]);
  const autoDisabled = await writeBack(queries, ids, finished, tokens, now, order.mayBeWritten);
  const holds = (lane: ClaimedLane) => tokens.get(lane.endpointId) === lane.leaseToken;
  const held = lanes.filter(holds);
  // Before the claim: a lease that ran out here, because the process or the database stood still, is not to be taken for
  // one that nobody holds.
  await extendLeases(
    queries,
    held.filter((lane) => lane.extend),
    LEASE_MS,
  );
  const claimed = claim.lanes > 0 ? await claimLanes(queries, { now, leaseMs: LEASE_MS, limit: claim.lanes }) : [];

  // A lane of the caller's own may be claimed anew, where its lease was swept away.
  const anew = new Set(claimed.map(({ endpointId }) => endpointId));
  const all: LaneInRound[] = [
    ...held.filter(({ endpointId }) => !anew.has(endpointId)),
    ...claimed.map((lane) => ({ ...lane, room: claim.room, inHand: 0, extend: false })),
  ];
  const { taken, withMore, withInHand } = await takeDue(
    queries,
    all.filter((lane) => lane.room > 0),
    now,
    order.isInHand,
  );
  const isDone = ({ endpointId, inHand }: LaneInRound) =>
    inHand === 0 && !withInHand.has(endpointId) && (taken.get(endpointId)?.deliveries.length ?? 0) === 0;
  const done = all.filter(isDone);
  await releaseLanes(queries, done, now);
  return {
    claimed,
    taken,
    withMore,
    released: done.map(({ endpointId }) => endpointId),
    lost: lanes.filter((lane) => !holds(lane)).map(({ endpointId }) => endpointId),
    autoDisabled,
    turns: await laneTurns(queries),
  };
}
