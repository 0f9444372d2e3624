import { RATE_LIMIT_REQUESTS, RATE_LIMIT_WINDOW_MS } from '@svc/contract';

/**
 * Up to `REST_MAX_MS`, a rest lasts at least three times as long as the evaluation, and at least `REST_PER_DELIVERY_MS`
 * for each delivery that the evaluation has caused. So changes cause deliveries no faster than an API key could cause
 * them with pings, within its rate limit.
 */
const REST_FACTOR = 3;
const REST_PER_DELIVERY_MS = RATE_LIMIT_WINDOW_MS / RATE_LIMIT_REQUESTS.api_key;
const REST_MIN_MS = 500;
const REST_MAX_MS = 30_000;

/**
 * Limits the evaluations after changes of a time zone or of the first day of the week. Each change causes an evaluation
 * of all profiles, so an organization with many changes could keep the node busy. To prevent this, these evaluations of
 * an organization run one after another, with a rest after each of them.
 */
export function createCalendarRests() {
  /** The organizations with a running evaluation of a change. */
  const running = new Set<string>();
  const resting = new Map<string, NodeJS.Timeout>();

  return {
    organizations: ({ includeResting }: { includeResting: boolean }): string[] => [
      ...running,
      ...(includeResting ? resting.keys() : []),
    ],
    /**
     * @param onRested - Called when the organization's next change may be evaluated.
     * @returns a function to call with the number of deliveries when the evaluation has ended.
     */
    begin(organizationId: string, onRested: () => void): (deliveries: number) => void {
      const startedAt = performance.now();
      running.add(organizationId);
      return (deliveries) => {
        running.delete(organizationId);
        clearTimeout(resting.get(organizationId));
        const endRest = () => {
          resting.delete(organizationId);
          onRested();
        };
        const evaluationMs = performance.now() - startedAt;
        const ms = Math.max(REST_FACTOR * evaluationMs, REST_PER_DELIVERY_MS * deliveries, REST_MIN_MS);
        resting.set(organizationId, setTimeout(endRest, Math.min(ms, REST_MAX_MS)).unref());
      };
    },
    clear(): void {
      for (const timer of resting.values()) clearTimeout(timer);
      resting.clear();
    },
  };
}
