import type { DueDelivery } from '../storage/statements/load-due-deliveries.ts';

/**
 * Chooses what a lane's free slots go to, in the order of the attempts: first attempts before old retries, so that an
 * endpoint with a backlog hears of what is new; but every fourth is a retry that is due, so that a flood of events does
 * not hold them off for ever.
 */
export function chooseDue(due: readonly DueDelivery[], slots: number): DueDelivery[] {
  const retries = due.filter(({ place }) => place.retry === 1);
  const firsts = due.filter(({ place }) => place.retry === 0);
  const forRetries = Math.max(Math.min(retries.length, Math.floor(slots / 4)), slots - firsts.length);
  const chosen = firsts.slice(0, slots - forRetries);
  for (const [index, retry] of retries.slice(0, forRetries).entries()) chosen.splice(4 * index + 3, 0, retry);
  return chosen;
}
