import { type LaneTurns, laneTurns } from '../../storage/statements/lanes/turns.ts';
import { together } from '../../storage/together.ts';
import type { HeldLanes } from '../lanes/held.ts';
import type { LaneToFill } from '../lanes/lane.ts';
import type { DispatcherTools } from '../tools.ts';
import type { Claims } from './claims.ts';
import type { Gate } from './gate.ts';
import { giveBack } from './give-back.ts';
import type { NodeSession } from './node-session.ts';
import type { Sharing } from './sharing.ts';
import { type LaneLook, takeDue } from './take-due.ts';

/** The dependencies of {@link take}. */
export interface TakeOptions extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers' | 'observer'> {
  held: HeldLanes;
  nodeSession: NodeSession;
  claims: Claims;
  gate: Gate;
  sharing: Sharing;
  /** Called when deliveries may be ready to start. */
  startReady(): void;
}

/** The result of a take. */
export interface Taken {
  turns: LaneTurns;
  /** How many lanes the take claimed. */
  claimed: number;
  /**
   * The endpoints whose lanes this node keeps although they have no deliveries, because work for these lanes is about
   * to arrive.
   */
  staying: ReadonlySet<string>;
}

/** Claims lanes, reads the next deliveries of every lane that needs more, and releases lanes without work. */
export async function take(options: TakeOptions): Promise<Taken> {
  const { storage, clock, timers, held, nodeSession, claims, gate, observer, startReady } = options;
  const startedAt = timers.now();
  await nodeSession.ensure();
  await claims.compare(startedAt);
  const claimed = await claims.claimDue(startedAt);
  held.looks();
  const now = clock.now();
  const lanes = held.toFill(timers.now(), gate.isOpen());
  const withRoom = lanes.filter(({ room }) => room > 0);
  const [looks, turns] = await storage.read((queries) =>
    together([takeDue(queries, withRoom, now, (id) => held.isInHand(id)), laneTurns(queries)]),
  );
  for (const { endpointId, drops, changes } of withRoom) {
    const { taken, mayHaveMore = false } = looks.get(endpointId) ?? {};
    if (taken && gate.isOpen()) held.fill(endpointId, taken, { mayHaveMore, drops, changes, startedAt });
  }
  startReady();
  const left = (await release(options, lanes, looks, now)) ?? { turns, staying: NONE };
  claims.expectAt(left.turns.free);
  observer.roundEnded({ durationMs: timers.now() - startedAt, attempts: 0, lanesClaimed: claimed });
  return { ...left, claimed };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Releases lanes without work, and disables due deliveries to inactive endpoints. @returns undefined if there was
 * nothing to do.
 */
async function release(
  { storage, held, claims, gate, sharing, observer }: TakeOptions,
  lanes: readonly LaneToFill[],
  looks: ReadonlyMap<string, LaneLook>,
  now: number,
): Promise<Omit<Taken, 'claimed'> | undefined> {
  const done = lanes
    .filter(({ endpointId, inHand }) => {
      const { taken, hasInHand = false } = looks.get(endpointId) ?? {};
      const gives = taken !== undefined && taken.deliveries.length > 0;
      return inHand === 0 && !(gate.isOpen() && gives) && !hasInHand;
    })
    .map((lane) => ({ ...lane, mayStay: gate.isOpen() && lane.room > 0 }));
  const closed = lanes.filter(({ endpointId }) => looks.get(endpointId)?.isClosed);
  if (done.length === 0 && closed.length === 0) return undefined;
  const isInHand = (deliveryId: string) => held.isInHand(deliveryId);
  const staying = await claims.change((queries) => giveBack(queries, { done, closed, now, isInHand }));
  if (closed.length > 0) observer.deliveriesDisabled?.();
  for (const lane of done) if (!staying.has(lane.endpointId)) held.drop(lane);
  if (sharing.isActive() && done.length > staying.size) sharing.tellOfLanes();
  return { turns: await storage.read(laneTurns), staying };
}
