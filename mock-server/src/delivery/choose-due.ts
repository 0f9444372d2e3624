import type { DueDelivery } from '../storage/statements/find-due-deliveries.ts';

/**
 * Chooses what a lane's free slots go to: first attempts before old retries, so that an endpoint with a backlog hears
 * of what is new; but a quarter goes to retries that are due, so that a flood of events does not hold them off for ever.
 */
export function chooseDue(due: readonly DueDelivery[], slots: number): DueDelivery[] {
  const retries = due.filter((delivery) => delivery.retry === 1);
  const firsts = due.filter((delivery) => delivery.retry === 0);
  const forRetries = Math.max(Math.min(retries.length, Math.floor(slots / 4)), slots - firsts.length);
  return [...firsts.slice(0, slots - forRetries), ...retries.slice(0, forRetries)];
}
