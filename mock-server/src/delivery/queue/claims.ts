import type { Instant } from '../../domain/instant.ts';
import { findLanesOf, keepSessions } from '../../storage/delivery/sessions.ts';
import type { Queries } from '../../storage/port.ts';
import { claimLanes } from '../../storage/statements/lanes/claim.ts';
import { laneTurns } from '../../storage/statements/lanes/turns.ts';
import { together } from '../../storage/together.ts';
import type { HeldLanes } from '../lanes/held.ts';
import { CLAIM_LANES_MAX, COMPARE_INTERVAL_MS } from '../limits.ts';
import type { DispatcherTools } from '../tools.ts';
import type { NodeSession } from './node-session.ts';

/** The dependencies that {@link createClaims} takes. */
export interface ClaimsOptions extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers'> {
  held: HeldLanes;
  nodeSession: NodeSession;
  /** Whether other nodes may use the same database. */
  isShared: boolean;
  /** Whether this node may claim further lanes. */
  mayClaim(): boolean;
}

/** Claims lanes for this node, and makes sure that it holds exactly the lanes that the database says. */
export function createClaims({ storage, clock, timers, held, nodeSession, isShared, mayClaim }: ClaimsOptions) {
  /** Whether lanes may have become due since the latest look. */
  let expectsLanes = false;
  let nextTurnAt: Instant | undefined;
  /**
   * Without other nodes, no standby can take over. Then only a claim or a release that got no reply is a reason to
   * compare lanes.
   */
  const compareIntervalMs = isShared ? COMPARE_INTERVAL_MS : Number.POSITIVE_INFINITY;
  /** When to compare the held lanes with the database: at once, if a claim or a release got no reply. */
  let comparesAt = timers.now() + compareIntervalMs;

  /** Runs a write that claims or releases lanes. */
  async function change<Result>(work: (queries: Queries) => Promise<Result>): Promise<Result> {
    try {
      // No need to wait for the disk: an embedded database frees all lanes at its start anyway.
      return await storage.write(work, { waitsForDisk: false });
    } catch (error) {
      comparesAt = timers.now();
      throw error;
    }
  }

  return {
    change,

    /** Lanes may have become due. */
    expectLanes(): void {
      expectsLanes = true;
    },

    /** Sets when the next free lane becomes due. */
    expectAt(turnAt: Instant | undefined): void {
      nextTurnAt = turnAt;
    },

    /**
     * Holds exactly the lanes that the database says this session holds. The lanes differ if a claim or a release got
     * no reply, or if a standby without the latest commits has taken over.
     */
    async compare(startedAt: number): Promise<void> {
      if (startedAt < comparesAt) return;
      const session = nodeSession.id();
      const stored = await storage.write((queries) => findLanesOf(queries, session), { waitsForDisk: false });
      if (!nodeSession.holds(session)) return;
      for (const lane of [...held.lanes.values()]) if (!stored.has(lane.endpointId)) held.drop(lane);
      for (const endpointId of stored) if (!held.lanes.has(endpointId)) held.hold(endpointId, session, startedAt);
      comparesAt = startedAt + compareIntervalMs;
    },

    /** Claims lanes whose turn has come. @returns how many. */
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

/** Claims lanes for this node. */
export type Claims = ReturnType<typeof createClaims>;
