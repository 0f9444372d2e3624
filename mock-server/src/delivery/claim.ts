import type { Instant } from '../runtime/clock.ts';
import type { Queries } from '../storage/port.ts';
import { type ClaimedLane, claimLanes } from '../storage/statements/claim-lanes.ts';
import { extendLeases } from '../storage/statements/extend-leases.ts';
import { lockLanes } from '../storage/statements/lock-lanes.ts';
import { LEASE_MS } from './limits.ts';

/** What to extend and what to claim. */
export interface ClaimOrder {
  now: Instant;
  /** Held lanes whose lease ends soon. */
  extending: readonly ClaimedLane[];
  /** Endpoints whose lanes this node already holds. */
  held: readonly string[];
  /** The most lanes to claim. */
  limit: number;
  /** The name under which this node holds lanes. */
  holder?: string | null;
}

/** Extends leases and claims lanes whose turn has come, in the caller's transaction. */
export async function claim(queries: Queries, { now, extending, held, limit, holder = null }: ClaimOrder) {
  const tokens = await lockLanes(
    queries,
    extending.map(({ endpointId }) => endpointId),
  );
  const holds = (lane: ClaimedLane) => tokens.get(lane.endpointId) === lane.leaseToken;
  const extended = extending.filter(holds);
  // Extend first. If the process or the database paused, a lease of ours may have run out. The claim must not treat
  // that lane as free.
  await extendLeases(queries, extended, LEASE_MS);
  const claimed = limit > 0 ? await claimLanes(queries, { now, leaseMs: LEASE_MS, limit, except: held, holder }) : [];
  return { claimed, extended, lost: extending.filter((lane) => !holds(lane)) };
}
