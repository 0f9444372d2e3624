import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';

/*
 * The order of first attempts and retries, between lanes (`kindsForSlot`) and within one lane (`chooseDue`). First
 * attempts come first, so that an endpoint with a backlog receives new events soon. Of every four slots, one goes to a
 * slow endpoint, and one to a retry, so that many new events cannot block retries forever.
 */

/** `slow` if the lane's endpoint is slow. Otherwise, the kind of the lane's next delivery. */
export type LaneKind = 'first' | 'retry' | 'slow';

/** For each of four slots, the kinds of lanes that may get the slot, in order of preference. */
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
 * Chooses deliveries for a lane's free slots. Returns the deliveries in the order in which their attempts start.
 *
 * @param chosenBefore - How many deliveries of the lane earlier calls have chosen. A busy endpoint gets few slots at a
 *   time, so all calls share one count, in which every fourth place is for a retry.
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
