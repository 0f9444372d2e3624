import type { WorkLoop } from '../runtime/work-loop.ts';
import type { LaneTurns } from '../storage/statements/lanes/turns.ts';
import type { HeldLanes } from './lanes/held.ts';
import { LOCKED_LANE_POLL_MS, POLL_INTERVAL_MS, WAITING_POLL_MS } from './limits.ts';
import type { Gate } from './queue/gate.ts';
import type { Sharing } from './queue/sharing.ts';
import type { Taken } from './queue/take.ts';
import type { DispatcherTools } from './tools.ts';
import type { createWaiters } from './waiters.ts';

/** The dependencies of {@link planLook}. */
export interface PlanParts extends Pick<DispatcherTools, 'clock' | 'timers'> {
  held: HeldLanes;
  gate: Gate;
  sharing: Sharing;
  waiters: ReturnType<typeof createWaiters>;
  taking: WorkLoop;
  mayClaim(): boolean;
}

/** Decides when the next take runs, unless another part of the dispatcher requests a take earlier. */
export function planLook(parts: PlanParts, { turns, claimed, staying }: Taken): void {
  const { clock, timers, held, gate, taking } = parts;
  const claimable = parts.mayClaim() && turns.free !== undefined && turns.free <= clock.now();
  // A due lane that was not claimed is locked at the moment, by a new event or by another node. So look again
  // immediately only if other lanes were claimed.
  if (claimable && claimed > 0) taking.request();
  const needs = held.toFill(timers.now(), gate.isOpen());
  if (needs.some(({ endpointId, inHand }) => inHand === 0 && !staying.has(endpointId))) taking.request();
  const longestMs = claimable || staying.size > 0 ? LOCKED_LANE_POLL_MS : POLL_INTERVAL_MS;
  const isBusy = taking.isRequested() || claimable;
  taking.requestIn(isBusy ? longestMs : Math.min(longestMs, rest(parts, turns)));
}

/** Informs the waiters that there is nothing to do at the moment. @returns how long to wait until the next look. */
function rest(
  { clock, held, gate, sharing, waiters, mayClaim }: PlanParts,
  { free, held: elsewhere }: LaneTurns,
): number {
  const now = clock.now();
  const isEmpty = held.lanes.size === 0 && held.open() === 0;
  const isDue = [free, elsewhere].some((at) => at !== undefined && at <= now);
  waiters.tell({ takes: gate.takes(), isEmpty, isDue });
  if (isEmpty && isDue && gate.isOpen()) sharing.ask();
  // This node is not informed when another node finishes its work. So this node polls while a caller waits for that
  // work.
  if (isEmpty && isDue && waiters.isAnybody()) return WAITING_POLL_MS;
  if (mayClaim() && free !== undefined && !clock.isStill()) return Math.max(free - now, 0);
  return POLL_INTERVAL_MS;
}
