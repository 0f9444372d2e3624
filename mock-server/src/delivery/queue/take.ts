import type { WorkLoop } from '../../runtime/work-loop.ts';
import { type LaneTurns, laneTurns } from '../../storage/delivery/lane-turns.ts';
import type { HeldLanes } from '../lanes/held.ts';
import type { LaneToFill } from '../lanes/lane.ts';
import type { DispatcherTools } from '../tools.ts';
import { LOCKED_LANE_POLL_MS, POLL_INTERVAL_MS, WAITING_POLL_MS } from '../tuning.ts';
import type { Waiters } from '../waiters.ts';
import type { Claims } from './claims.ts';
import type { Gate } from './gate.ts';
import type { HandOver } from './hand-over.ts';
import { type LaneLook, lookAtLanes } from './look.ts';
import type { NodeSession } from './node-session.ts';
import { releaseAndDisable } from './release-lanes.ts';

interface TakeParts extends Pick<DispatcherTools, 'storage' | 'clock' | 'timers' | 'observer'> {
  held: HeldLanes;
  nodeSession: NodeSession;
  claims: Claims;
  gate: Gate;
  handOver: HandOver;
  waiters: Waiters;
  taking: WorkLoop;
  startReady(): void;
}

interface TakeResult {
  looks: ReadonlyMap<string, LaneLook>;
  claimed: number;
  staying: ReadonlySet<string>;
}

/** Claims lanes, reads the next deliveries of lanes that need more, and releases lanes without work. */
export async function take(parts: TakeParts): Promise<void> {
  const { storage, clock, timers, held, nodeSession, claims, gate, observer, startReady } = parts;
  const startedAt = timers.now();
  await nodeSession.ensure();
  await claims.compare(startedAt);
  const claimed = await claims.claimDue(startedAt);
  const now = clock.now();
  const lanes = held.beginLook(timers.now(), gate.isOpen());
  const withRoom = lanes.filter(({ room }) => room > 0);
  const looks = await storage.read((queries) => lookAtLanes(queries, withRoom, now, held.isSkipped));
  for (const [endpointId, { found, mayHaveMore }] of looks)
    if (found && gate.isOpen()) held.fill(endpointId, found, { mayHaveMore, startedAt });
  startReady();
  const staying = await release(parts, lanes, looks, now);
  observer.roundEnded({ durationMs: timers.now() - startedAt, attempts: 0, lanesClaimed: claimed });
  await planNextTake(parts, { looks, claimed, staying });
}

/**
 * Releases lanes without work, and ends due deliveries to inactive endpoints. Returns the empty lanes that this node
 * keeps because events for their endpoints are being stored.
 */
async function release(
  { storage, held, gate, handOver, observer }: TakeParts,
  lanes: readonly LaneToFill[],
  looks: ReadonlyMap<string, LaneLook>,
  now: number,
): Promise<ReadonlySet<string>> {
  /** Whether the lane has no delivery in hand, and the look found no delivery to attempt. */
  const isDone = ({ endpointId, inHand }: LaneToFill) => {
    const { found, hasInHand = false } = looks.get(endpointId) ?? {};
    if (inHand > 0 || hasInHand) return false;
    return !gate.isOpen() || !found || found.deliveries.length === 0;
  };
  const done = lanes.filter(isDone).map((lane) => ({ ...lane, mayStay: gate.isOpen() && lane.room > 0 }));
  const closed = lanes.filter(({ endpointId }) => looks.get(endpointId)?.mustDisable);
  if (done.length === 0 && closed.length === 0) return new Set();
  const { isSkipped } = held;
  const staying = await storage.write(
    (queries) => releaseAndDisable(queries, { done, closed, now, isSkipped }),
    // If a crash undoes this write, the next take repeats the write.
    { waitsForDisk: false },
  );
  if (closed.length > 0) observer.deliveriesDisabled?.();
  for (const lane of done) if (!staying.has(lane.endpointId)) held.drop(lane);
  if (handOver.isActive() && done.length > staying.size) handOver.tellOfLanes();
  return staying;
}

/** Decides when the next take runs, unless another part of the dispatcher requests an earlier take. */
async function planNextTake(parts: TakeParts, { looks, claimed, staying }: TakeResult): Promise<void> {
  const { storage, clock, timers, held, claims, gate, taking } = parts;
  const needs = held.refresh(timers.now(), gate.isOpen());
  // If an attempt of an earlier session is still in flight, the lane is read again when the attempt's result is stored.
  const mustWait = (endpointId: string) => staying.has(endpointId) || looks.get(endpointId)?.hasInHand;
  if (needs.some(({ endpointId, inHand }) => inHand === 0 && !mustWait(endpointId))) taking.request();
  if (taking.isRequested()) return;
  const isEmpty = held.lanes.size === 0 && held.inFlight() === 0;
  const turns = await storage.read((queries) => laneTurns(queries, { ofHeld: isEmpty }));
  if (taking.isRequested()) return;
  const claimable = claims.mayClaim() && turns.free !== undefined && turns.free <= clock.now();
  // If no lane was claimed, other transactions have locked the due lanes, so an immediate take would not help.
  if (claimable && claimed > 0) return taking.request();
  const longestMs = claimable || staying.size > 0 ? LOCKED_LANE_POLL_MS : POLL_INTERVAL_MS;
  taking.requestIn(claimable ? longestMs : Math.min(longestMs, becomeIdle(parts, turns, isEmpty)));
}

/**
 * Called when no look is needed at the moment. Reports this node's state to the waiters. If only other nodes have due
 * deliveries, asks these nodes for lanes. Returns the milliseconds until the next look.
 */
function becomeIdle(
  { clock, claims, gate, handOver, waiters }: TakeParts,
  { free, held }: LaneTurns,
  isEmpty: boolean,
): number {
  const now = clock.now();
  const isDue = [free, held].some((at) => at !== undefined && at <= now);
  waiters.tell({ isEmpty, isDue });
  const isDueElsewhere = isEmpty && isDue;
  if (isDueElsewhere && gate.isOpen()) handOver.ask();
  // This node does not learn when another node finishes its work, so look often while a caller waits for that work.
  if (isDueElsewhere && waiters.isAnybody()) return WAITING_POLL_MS;
  if (claims.mayClaim() && free !== undefined && !clock.isStill()) return Math.max(free - now, 0);
  return POLL_INTERVAL_MS;
}
