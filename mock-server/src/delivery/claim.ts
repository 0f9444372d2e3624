import type { Instant } from '../runtime/clock.ts';
import type { Queries } from '../storage/port.ts';
import { type ClaimedLane, claimLanes } from '../storage/statements/claim-lanes.ts';
import { extendLeases } from '../storage/statements/extend-leases.ts';
import { lockLanes } from '../storage/statements/lock-lanes.ts';
import { LEASE_MS } from './limits.ts';

/** What a claim is to do. */
export interface ClaimOrder {
  now: Instant;
  /** Held lanes whose lease runs short. */
  extending: readonly ClaimedLane[];
  /** Endpoints whose lanes are held. */
  held: readonly string[];
  /** Further lanes to claim at most. */
  limit: number;
  /** This node's name, under which it holds lanes. */
  holder?: string | null;
}

/** Extends leases and claims lanes whose turn has come, inside the caller's transaction. */
export async function claim(queries: Queries, { now, extending, held, limit, holder = null }: ClaimOrder) {
  const tokens = await lockLanes(
    queries,
    extending.map(({ endpointId }) => endpointId),
  );
  const holds = (lane: ClaimedLane) => tokens.get(lane.endpointId) === lane.leaseToken;
  const extended = extending.filter(holds);
  // Before the claim: a lease that ran out here, because the process or the database stood still, is not to be taken for
  // one that nobody holds.
  await extendLeases(queries, extended, LEASE_MS);
  const claimed = limit > 0 ? await claimLanes(queries, { now, leaseMs: LEASE_MS, limit, except: held, holder }) : [];
  return { claimed, extended, lost: extending.filter((lane) => !holds(lane)) };
}
