import type { WorkLoop } from '../../runtime/work-loop.ts';
import { type LaneTurns, laneTurns } from '../../storage/delivery/lane-turns.ts';
import { together } from '../../storage/together.ts';
import type { HeldLanes } from '../lanes/held.ts';
import type { LaneToFill } from '../lanes/lane.ts';
import type { DispatcherTools } from '../tools.ts';
import { LOCKED_LANE_POLL_MS, POLL_INTERVAL_MS, WAITING_POLL_MS } from '../tuning.ts';
import type { Waiters } from '../waiters.ts';
import type { Claims } from './claims.ts';
import type { Gate } from './gate.ts';
import { giveBack } from './give-back.ts';
import type { NodeSession } from './node-session.ts';
import type { Sharing } from './sharing.ts';
import { type LaneLook, takeDue } from './take-due.ts';

interface TakeParts extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers' | 'observer'> {
  held: HeldLanes;
  nodeSession: NodeSession;
  claims: Claims;
  gate: Gate;
  sharing: Sharing;
  waiters: Waiters;
  taking: WorkLoop;
  /** Called when deliveries may be ready to start. */
  startReady(): void;
}

/** The state of the lanes after a take. */
interface Left {
  turns: LaneTurns;
  /** The endpoints whose lanes are empty, but are kept because events for these lanes are being stored. */
  staying: ReadonlySet<string>;
}

/**
 * Claims lanes, reads the next deliveries of every lane that needs more deliveries, and releases lanes without work.
 */
export async function take(parts: TakeParts): Promise<void> {
  const { storage, clock, timers, held, nodeSession, claims, gate, observer, startReady } = parts;
  const startedAt = timers.now();
  await nodeSession.ensure();
  await claims.compare(startedAt);
  const claimed = await claims.claimDue(startedAt);
  held.looks();
  const now = clock.now();
  const lanes = held.toFill(timers.now(), gate.isOpen());
  const withRoom = lanes.filter(({ room }) => room > 0);
  const [looks, turns] = await storage.read((queries) =>
    together([takeDue(queries, withRoom, now, (id) => held.isSkipped(id)), laneTurns(queries)]),
  );
  for (const { endpointId, drops, changes } of withRoom) {
    const { taken, mayHaveMore = false } = looks.get(endpointId) ?? {};
    if (taken && gate.isOpen()) held.fill(endpointId, taken, { mayHaveMore, drops, changes, startedAt });
  }
  startReady();
  const left = (await release(parts, lanes, looks, now)) ?? { turns, staying: NONE };
  claims.expectAt(left.turns.free);
  observer.roundEnded({ durationMs: timers.now() - startedAt, attempts: 0, lanesClaimed: claimed });
  planLook(parts, left, claimed);
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Releases lanes without work, and ends due deliveries to inactive endpoints as `disabled`. @returns undefined if there
 * was nothing to do.
 */
async function release(
  { storage, held, claims, gate, sharing, observer }: TakeParts,
  lanes: readonly LaneToFill[],
  looks: ReadonlyMap<string, LaneLook>,
  now: number,
): Promise<Left | undefined> {
  /**
   * Whether this node has no delivery of the lane in hand, and will not attempt the deliveries that the look has read.
   */
  const isDone = ({ endpointId, inHand }: LaneToFill) => {
    const { taken, hasInHand = false } = looks.get(endpointId) ?? {};
    if (inHand > 0 || hasInHand) return false;
    return !gate.isOpen() || !taken || taken.deliveries.length === 0;
  };
  const done = lanes.filter(isDone).map((lane) => ({ ...lane, mayStay: gate.isOpen() && lane.room > 0 }));
  const closed = lanes.filter(({ endpointId }) => looks.get(endpointId)?.mustDisable);
  if (done.length === 0 && closed.length === 0) return undefined;
  const isSkipped = (deliveryId: string) => held.isSkipped(deliveryId);
  const staying = await claims.change((queries) => giveBack(queries, { done, closed, now, isSkipped }));
  if (closed.length > 0) observer.deliveriesDisabled?.();
  for (const lane of done) if (!staying.has(lane.endpointId)) held.drop(lane);
  if (sharing.isActive() && done.length > staying.size) sharing.tellOfLanes();
  return { turns: await storage.read(laneTurns), staying };
}

/** Decides when the next take runs. Other parts of the dispatcher can request an earlier take. */
function planLook(parts: TakeParts, { turns, staying }: Left, claimed: number): void {
  const { clock, timers, held, claims, gate, taking } = parts;
  const claimable = claims.mayClaim() && turns.free !== undefined && turns.free <= clock.now();
  // If no lane was claimed, the due lanes are locked, by a new event or by another node. So an immediate look makes
  // sense only if lanes were claimed.
  if (claimable && claimed > 0) taking.request();
  const needs = held.toFill(timers.now(), gate.isOpen());
  if (needs.some(({ endpointId, inHand }) => inHand === 0 && !staying.has(endpointId))) taking.request();
  const longestMs = claimable || staying.size > 0 ? LOCKED_LANE_POLL_MS : POLL_INTERVAL_MS;
  const isBusy = taking.isRequested() || claimable;
  taking.requestIn(isBusy ? longestMs : Math.min(longestMs, rest(parts, turns)));
}

/** Informs the waiters that this node has nothing to do at the moment. Returns how long to wait until the next look. */
function rest({ clock, held, claims, gate, sharing, waiters }: TakeParts, { free, held: heldTurn }: LaneTurns): number {
  const now = clock.now();
  const isEmpty = held.lanes.size === 0 && held.inFlight() === 0;
  const isDue = [free, heldTurn].some((at) => at !== undefined && at <= now);
  waiters.tell({ takes: gate.takes(), isEmpty, isDue });
  if (isEmpty && isDue && gate.isOpen()) sharing.ask();
  // This node is not informed when another node finishes its work. So while a caller waits for the work of other nodes,
  // this node looks at the queue at short intervals.
  if (isEmpty && isDue && waiters.isAnybody()) return WAITING_POLL_MS;
  if (claims.mayClaim() && free !== undefined && !clock.isStill()) return Math.max(free - now, 0);
  return POLL_INTERVAL_MS;
}
