import type { DeliveryToSend } from '../../storage/statements/queue/places.ts';

/*
 * The order of first attempts and retries. First attempts come first, so that an endpoint with a backlog receives new
 * events soon. Every fourth slot goes to a retry, so that many new events cannot block retries forever.
 */

const RETRY_EVERY = 4;

/** The kinds of lanes: the lane's next delivery is a first attempt or a retry, or the lane's endpoint is slow. */
const LANE_KINDS = ['first', 'retry', 'slow'] as const;

export type LaneKind = (typeof LANE_KINDS)[number];

/**
 * Returns the kinds of lanes that may get a free slot, in order of preference. Slots are counted from 1. Of every four
 * slots, one prefers retries and another prefers slow endpoints, until slow endpoints have used up their share of the
 * slots.
 */
export function kindsForSlot(count: number): readonly LaneKind[] {
  if (count % RETRY_EVERY === 0) return ['slow', 'first', 'retry'];
  if (count % RETRY_EVERY === 2) return ['retry', 'first', 'slow'];
  return LANE_KINDS;
}

/** Chooses the deliveries for a lane's free slots, in the order in which they will be attempted. */
export function chooseDue(due: readonly DeliveryToSend[], slots: number): DeliveryToSend[] {
  const retries = due.filter(({ place }) => place.retry === 1);
  const firsts = due.filter(({ place }) => place.retry === 0);
  const forRetries = Math.max(Math.min(retries.length, Math.floor(slots / RETRY_EVERY)), slots - firsts.length);
  const chosen = firsts.slice(0, slots - forRetries);
  for (const [index, retry] of retries.slice(0, forRetries).entries())
    chosen.splice(RETRY_EVERY * index + RETRY_EVERY - 1, 0, retry);
  return chosen;
}
