import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';

/*
 * The order of first attempts and retries, between lanes (`kindsForSlot`) and within one lane (`chooseDue`). First
 * attempts come first, so that an endpoint with a backlog receives new events soon. Of every four slots, one goes to a
 * retry, so that many new events cannot block retries forever. Another slot goes to a lane of a slow endpoint.
 */

/**
 * The kind of a lane: `slow` if its endpoint is slow. If not, the kind of the lane's next delivery: `first` or `retry`.
 */
export type LaneKind = 'first' | 'retry' | 'slow';

/** For each of four slots, the kinds of lanes that may get the slot, in order of preference. */
const KINDS: readonly (readonly LaneKind[])[] = [
  ['slow', 'first', 'retry'],
  ['first', 'retry', 'slow'],
  ['retry', 'first', 'slow'],
  ['first', 'retry', 'slow'],
];

/**
 * Returns the kinds of lanes that may get a free slot, in order of preference. `slots.ts` limits how many slots slow
 * endpoints may use in all.
 *
 * @param count - The number of the slot, counted from the start of the node.
 */
export const kindsForSlot = (count: number): readonly LaneKind[] => KINDS[count % KINDS.length] ?? [];

/** Within a lane, every fourth slot goes to a retry. */
const RETRY_EVERY = 4;

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
