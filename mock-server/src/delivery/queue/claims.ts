import type { Instant } from '../../domain/instant.ts';
import { claimLanes } from '../../storage/delivery/claim-lanes.ts';
import { laneTurns } from '../../storage/delivery/lane-turns.ts';
import { findLanesOf, keepSessions } from '../../storage/delivery/node-sessions.ts';
import type { Queries } from '../../storage/port.ts';
import { together } from '../../storage/together.ts';
import type { HeldLanes } from '../lanes/held.ts';
import type { DispatcherTools } from '../tools.ts';
import { CLAIM_LANES_MAX, COMPARE_INTERVAL_MS } from '../tuning.ts';
import type { Gate } from './gate.ts';
import type { NodeSession } from './node-session.ts';
import type { Sharing } from './sharing.ts';

interface ClaimsOptions extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers'> {
  held: HeldLanes;
  nodeSession: NodeSession;
  gate: Gate;
  sharing: Sharing;
  /** Called when lanes were lost: another node may have counted failures of their endpoints. */
  onLanesLost(): void;
}

export type Claims = ReturnType<typeof createClaims>;

/** Claims lanes for this node, and corrects the node's list of held lanes if the list differs from the database. */
export function createClaims(options: ClaimsOptions) {
  const { storage, clock, timers, held, nodeSession, gate, sharing, onLanesLost } = options;
  /** Whether free lanes may have become due since this node last read the turns of free lanes. */
  let expectsLanes = false;
  let nextTurnAt: Instant | undefined;
  /**
   * How often this node compares its lanes with the database. If the database is not shared, no standby can take over,
   * so the node compares only after a database error.
   */
  const compareIntervalMs = nodeSession.isShared ? COMPARE_INTERVAL_MS : Number.POSITIVE_INFINITY;
  let comparesAt = timers.now() + compareIntervalMs;

  async function change<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    try {
      // Do not wait until the write is on the disk. A write that is lost in a crash does no harm: when the server
      // starts again, it frees all lanes of an embedded database, and the next take ends the same deliveries as
      // `disabled`.
      return await storage.write(work, { waitsForDisk: false });
    } catch (error) {
      comparesAt = timers.now();
      throw error;
    }
  }

  const mayClaim = () => gate.isOpen() && !sharing.isActive() && held.laneRoom() > 0;

  return {
    change,
    mayClaim,

    /** Call this when the database may have lost claims. The next take compares the held lanes with the database. */
    databaseLost(): void {
      comparesAt = timers.now();
    },

    expectLanes(): void {
      expectsLanes = true;
    },

    /** Tells this node which turn is the earliest of all free lanes. */
    expectAt(turnAt: Instant | undefined): void {
      nextTurnAt = turnAt;
    },

    /**
     * Makes the list of held lanes equal to the list in the database for this session. The lists can differ if a
     * claim or a release got no reply, or if a standby without the latest commits has taken over.
     */
    async compare(startedAt: number): Promise<void> {
      if (startedAt < comparesAt) return;
      const session = nodeSession.id();
      const stored = await storage.write((queries) => findLanesOf(queries, session), { waitsForDisk: false });
      if (!nodeSession.holds(session)) return;
      const lost = [...held.lanes.values()].filter(({ endpointId }) => !stored.has(endpointId));
      for (const lane of lost) held.drop(lane);
      if (lost.length > 0) onLanesLost();
      for (const endpointId of stored) if (!held.lanes.has(endpointId)) held.hold(endpointId, session, startedAt);
      comparesAt = startedAt + compareIntervalMs;
    },

    /** Claims lanes whose turn has come. @returns how many lanes were claimed. */
    async claimDue(startedAt: number): Promise<number> {
      const laneRoom = mayClaim() ? held.laneRoom() : 0;
      if (laneRoom > 0 && expectsLanes) nextTurnAt = (await storage.read(laneTurns)).free;
      expectsLanes = false;
      const now = clock.now();
      const isDue = nextTurnAt !== undefined && nextTurnAt <= now;
      const limit = isDue ? Math.min(CLAIM_LANES_MAX, laneRoom) : 0;
      if (limit === 0) return 0;
      const session = nodeSession.id();
      const [kept, claimed] = await change((queries) =>
        together([keepSessions(queries, [session]), claimLanes(queries, { now, session, limit })]),
      );
      if (!kept.has(session)) nodeSession.ended(session);
      else if (nodeSession.holds(session)) for (const endpointId of claimed) held.hold(endpointId, session, startedAt);
      return claimed.length;
    },
  };
}
