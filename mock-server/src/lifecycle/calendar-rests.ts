import { RATE_LIMIT_REQUESTS, RATE_LIMIT_WINDOW_MS } from '@svc/contract';

/**
 * A rest lasts at least three times as long as the evaluation, and at least `REST_PER_DELIVERY_MS` for each delivery
 * that the evaluation has caused, but at most `REST_MAX_MS`. So calendar changes cause deliveries no faster than pings
 * can under the rate limit of an API key.
 */
const REST_FACTOR = 3;
const REST_PER_DELIVERY_MS = RATE_LIMIT_WINDOW_MS / RATE_LIMIT_REQUESTS.api_key;
const REST_MIN_MS = 500;
const REST_MAX_MS = 30_000;

/**
 * Limits the evaluations that follow calendar changes: changes to a time zone or to the first day of the week. Each
 * change causes an evaluation of all profiles, so an organization with many changes could keep the node busy. To
 * prevent this, the node runs an organization's evaluations one after another, with a rest after each evaluation.
 */
export function createCalendarRests() {
  /** When each organization's rest ends, or Infinity while the evaluation after a calendar change is running. */
  const endsAt = new Map<string, number>();

  return {
    organizations({ includeResting }: { includeResting: boolean }): string[] {
      const now = performance.now();
      for (const [organizationId, at] of endsAt) if (at <= now) endsAt.delete(organizationId);
      return [...endsAt].filter(([, at]) => includeResting || at === Number.POSITIVE_INFINITY).map(([id]) => id);
    },
    /** @returns a function to call after the evaluation, with the number of the evaluation's deliveries. */
    begin(organizationId: string): (deliveries: number) => void {
      const startedAt = performance.now();
      endsAt.set(organizationId, Number.POSITIVE_INFINITY);
      return (deliveries) => {
        const now = performance.now();
        const ms = Math.max(REST_FACTOR * (now - startedAt), REST_PER_DELIVERY_MS * deliveries, REST_MIN_MS);
        endsAt.set(organizationId, now + Math.min(ms, REST_MAX_MS));
      };
    },
    clear: () => endsAt.clear(),
  };
}
