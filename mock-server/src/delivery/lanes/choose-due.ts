import type { DueDelivery } from '../../storage/statements/load-due-deliveries.ts';

/**
 * Chooses the deliveries for a lane's free slots, in the order of their attempts. First attempts come before retries,
 * so that an endpoint with a backlog receives new events soon. Every fourth slot goes to a due retry, so that a flood
 * of events does not block retries forever.
 */
export function chooseDue(due: readonly DueDelivery[], slots: number): DueDelivery[] {
  const retries = due.filter(({ place }) => place.retry === 1);
  const firsts = due.filter(({ place }) => place.retry === 0);
  const forRetries = Math.max(Math.min(retries.length, Math.floor(slots / 4)), slots - firsts.length);
  const chosen = firsts.slice(0, slots - forRetries);
  for (const [index, retry] of retries.slice(0, forRetries).entries()) chosen.splice(4 * index + 3, 0, retry);
  return chosen;
}
