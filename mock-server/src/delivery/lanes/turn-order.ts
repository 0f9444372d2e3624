import type { DeliveryToSend } from '../../storage/statements/queue/take.ts';

/*
 * The order of first attempts and retries. First attempts come first, so that an endpoint with a backlog receives new
 * events soon. Every fourth slot goes to a retry, so that a flood of events does not block retries forever.
 */

const RETRY_EVERY = 4;

/** The kinds of a lane: what comes next in it, or that its endpoint is slow. */
const LANE_KINDS = ['first', 'retry', 'slow'] as const;

export type LaneKind = (typeof LANE_KINDS)[number];

/**
 * Which lanes a free slot of the node goes to, in this order. Slots are counted from 1. One slot in four goes to
 * retries first, and another one to slow endpoints, until they have used up their share of the slots.
 */
export function kindsForSlot(count: number): readonly LaneKind[] {
  if (count % RETRY_EVERY === 0) return ['slow', 'first', 'retry'];
  if (count % RETRY_EVERY === 2) return ['retry', 'first', 'slow'];
  return LANE_KINDS;
}

/** Chooses the deliveries for a lane's free slots, in the order of their attempts. */
export function chooseDue(due: readonly DeliveryToSend[], slots: number): DeliveryToSend[] {
  const retries = due.filter(({ place }) => place.retry === 1);
  const firsts = due.filter(({ place }) => place.retry === 0);
  const forRetries = Math.max(Math.min(retries.length, Math.floor(slots / RETRY_EVERY)), slots - firsts.length);
  const chosen = firsts.slice(0, slots - forRetries);
  for (const [index, retry] of retries.slice(0, forRetries).entries())
    chosen.splice(RETRY_EVERY * index + RETRY_EVERY - 1, 0, retry);
  return chosen;
}
