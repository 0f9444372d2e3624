import type { DeliveryToSend } from '../../storage/delivery/queue-places.ts';

/*
 * Decides in which order first attempts and retries get slots, across lanes (`kindsForSlot`) and within a lane
 * (`chooseDue`). First attempts usually come first, so that an endpoint with a backlog receives new events soon. Of
 * every four slots, one is offered to slow endpoints first, and one to retries first, so that new events cannot block
 * slow endpoints and retries forever.
 */

/** A lane with a slow endpoint is `slow`. Any other lane has the kind of its next attempt: `first` or `retry`. */
export type LaneKind = 'first' | 'retry' | 'slow';

/** Each list contains the kinds in order of preference. Consecutive slots use the four lists in rotation. */
const KINDS: readonly (readonly LaneKind[])[] = [
  ['slow', 'first', 'retry'],
  ['first', 'retry', 'slow'],
  ['retry', 'first', 'slow'],
  ['first', 'retry', 'slow'],
];

/** Returns the lane kinds for slot number `count`, best first. `rotation.ts` limits the slots of slow endpoints. */
export const kindsForSlot = (count: number): readonly LaneKind[] => KINDS[count % KINDS.length] ?? [];

/**
 * Chooses deliveries for a lane, in the order in which their attempts start. One of every four deliveries is a retry,
 * if retries are due. A call may choose fewer than four deliveries, so the count continues from call to call
 * (`chosenBefore`).
 */
export function chooseDue(due: readonly DeliveryToSend[], slots: number, chosenBefore = 0): DeliveryToSend[] {
  const retries = due.filter(({ place }) => place.retry === 1).values();
  const firsts = due.filter(({ place }) => place.retry === 0).values();
  const chosen: DeliveryToSend[] = [];
  while (chosen.length < slots) {
    const isForRetry = kindsForSlot(chosenBefore + chosen.length)[0] === 'retry';
    const [preferred, other] = isForRetry ? [retries, firsts] : [firsts, retries];
    const next = preferred.next().value ?? other.next().value;
    if (!next) break;
    chosen.push(next);
  }
  return chosen;
}
