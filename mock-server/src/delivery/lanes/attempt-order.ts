import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';

/*
 * Decides in which order first attempts and retries get slots. `kindsForSlot` decides between lanes, and `chooseDue`
 * within one lane. First attempts usually come first, so that an endpoint with a backlog receives new events soon. Of
 * every four slots, one is offered to slow endpoints first, and one to retries first. So many new events cannot block
 * slow endpoints and retries forever.
 */

/**
 * `slow` if the lane's endpoint is slow. Otherwise, says whether the lane's next attempt is a first attempt or a retry.
 */
export type LaneKind = 'first' | 'retry' | 'slow';

/** The kinds of lanes that may get a slot, in order of preference. Consecutive slots use the four lists in rotation. */
const KINDS: readonly (readonly LaneKind[])[] = [
  ['slow', 'first', 'retry'],
  ['first', 'retry', 'slow'],
  ['retry', 'first', 'slow'],
  ['first', 'retry', 'slow'],
];

/**
 * Returns the kinds of lanes that may get the slot with this number, in order of preference. `rotation.ts` limits how
 * many slots slow endpoints may use in all.
 */
export const kindsForSlot = (count: number): readonly LaneKind[] => KINDS[count % KINDS.length] ?? [];

const RETRY_EVERY = 4;

/**
 * Chooses deliveries for a lane's free slots and for reading ahead. Returns the deliveries in the order in which their
 * attempts start.
 *
 * @param chosenBefore - How many of the lane's deliveries were chosen by earlier calls. A busy endpoint gets few slots
 *   at a time, so the count continues from call to call. Every fourth delivery is a retry, if a retry is due.
 */
export function chooseDue(due: readonly DeliveryToSend[], slots: number, chosenBefore = 0): DeliveryToSend[] {
  const retries = due.filter(({ place }) => place.retry === 1).values();
  const firsts = due.filter(({ place }) => place.retry === 0).values();
  const chosen: DeliveryToSend[] = [];
  while (chosen.length < slots) {
    const isForRetry = (chosenBefore + chosen.length) % RETRY_EVERY === RETRY_EVERY - 1;
    const [preferred, other] = isForRetry ? [retries, firsts] : [firsts, retries];
    const next = preferred.next().value ?? other.next().value;
    if (!next) break;
    chosen.push(next);
  }
  return chosen;
}
