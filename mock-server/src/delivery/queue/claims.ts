import { claimLanes } from '../../storage/delivery/claim-lanes.ts';
import { laneTurns } from '../../storage/delivery/lane-turns.ts';
import { findLanesOf, keepSessions } from '../../storage/delivery/node-sessions.ts';
import { together } from '../../storage/together.ts';
import type { HeldLanes } from '../lanes/held.ts';
import type { DispatcherTools } from '../tools.ts';
import { CLAIM_LANES_MAX, COMPARE_INTERVAL_MS } from '../tuning.ts';
import type { Gate } from './gate.ts';
import type { HandOver } from './hand-over.ts';
import type { NodeSession } from './node-session.ts';

interface ClaimsOptions extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers'> {
  held: HeldLanes;
  nodeSession: NodeSession;
  gate: Gate;
  handOver: HandOver;
}

export type Claims = ReturnType<typeof createClaims>;

/** Claims lanes for this node, and keeps the node's list of held lanes consistent with the database. */
export function createClaims(options: ClaimsOptions) {
  const { storage, clock, timers, held, nodeSession, gate, handOver } = options;
  /** If the database is not shared, no standby can take over, so compare lanes only after a database error. */
  const compareIntervalMs = nodeSession.isShared ? COMPARE_INTERVAL_MS : Number.POSITIVE_INFINITY;
  let comparesAt = timers.now() + compareIntervalMs;

  const mayClaim = () => gate.isOpen() && !handOver.isActive() && held.laneRoom() > 0;

  return {
    mayClaim,

    /** Makes the next take compare the held lanes with the database, which may lack claims after a failover. */
    databaseLost(): void {
      comparesAt = timers.now();
    },

    /**
     * Updates this node's list of held lanes to match the database. The list and the database differ if a claim or a
     * release got no reply, or if a standby without the latest commits has taken over.
     */
    async compare(startedAt: number): Promise<void> {
      if (startedAt < comparesAt) return;
      const session = nodeSession.id();
      const stored = await storage.write((queries) => findLanesOf(queries, session), { waitsForDisk: false });
      if (!nodeSession.holds(session)) return;
      for (const lane of held.lanes.values()) if (!stored.has(lane.endpointId)) held.drop(lane);
      for (const endpointId of stored) if (!held.lanes.has(endpointId)) held.hold(endpointId, session, startedAt);
      comparesAt = startedAt + compareIntervalMs;
    },

    /** Claims lanes whose turn has come. Returns the number of claimed lanes. */
    async claimDue(startedAt: number): Promise<number> {
      if (!mayClaim()) return 0;
      const { free: turnAt } = await storage.read((queries) => laneTurns(queries));
      const now = clock.now();
      if (turnAt === undefined || turnAt > now) return 0;
      const session = nodeSession.id();
      const limit = Math.min(CLAIM_LANES_MAX, held.laneRoom());
      const [kept, claimed] = await storage.write(
        (queries) => together([keepSessions(queries, [session]), claimLanes(queries, { now, session, limit })]),
        // Losing a claim in a crash does no harm, because a restarted server frees all lanes of an embedded database.
        { waitsForDisk: false },
      );
      if (!kept.has(session)) nodeSession.ended(session);
      else if (nodeSession.holds(session)) for (const endpointId of claimed) held.hold(endpointId, session, startedAt);
      return claimed.length;
    },
  };
}
