import { RATE_LIMIT_REQUESTS, RATE_LIMIT_WINDOW_MS } from '@svc/contract';

/**
 * How long the next calendar change of an organization waits, within the minimum and the maximum below: three times as
 * long as the evaluation for the previous change took. Each change also sends an event to every subscribed endpoint of
 * the workspace. After {@link FREE_DELIVERIES}, the next change waits at least as long as an API key would need to
 * cause the same number of deliveries by pings.
 */
const REST_FACTOR = 3;
const REST_PER_DELIVERY_MS = RATE_LIMIT_WINDOW_MS / RATE_LIMIT_REQUESTS.api_key;
const FREE_DELIVERIES = 1_000;
const REST_MIN_MS = 500;
const REST_MAX_MS = 30_000;

/**
 * Limits the evaluations of calendar changes. An API key can change its workspace's calendar as often as its rate limit
 * allows, and each change evaluates all profiles. The changes of one organization are evaluated one after another, and
 * each change waits for a time that depends on the previous changes. So one organization cannot keep the node busy.
 */
export function createCalendarRests() {
  /** For each organization, how many of its changes are being evaluated. */
  const running = new Map<string, number>();
  /** For each organization, the timer that ends its rest. */
  let resting = new Map<string, NodeJS.Timeout>();
  /** For each organization, the time until which an API key would need to cause all the deliveries by pings. */
  let paidAt = new Map<string, number>();

  function restMs(organizationId: string, evaluationMs: number, deliveries: number): number {
    const now = performance.now();
    for (const [id, at] of paidAt) if (at <= now) paidAt.delete(id);
    const paid = (paidAt.get(organizationId) ?? now) + deliveries * REST_PER_DELIVERY_MS;
    paidAt.set(organizationId, paid);
    const overdueMs = paid - now - FREE_DELIVERIES * REST_PER_DELIVERY_MS;
    return Math.min(Math.max(REST_FACTOR * evaluationMs, overdueMs, REST_MIN_MS), REST_MAX_MS);
  }

  return {
    /**
     * Returns the organizations with a running evaluation of a change. With `includeResting`, adds resting
     * organizations.
     */
    organizations: ({ includeResting }: { includeResting: boolean }): string[] => [
      ...running.keys(),
      ...(includeResting ? resting.keys() : []),
    ],
    /**
     * Call this when the evaluation of a change begins.
     *
     * @param onRested - Called when the organization's next change may be evaluated.
     * @returns a function to call when the evaluation has ended, with the number of its deliveries.
     */
    begin(organizationId: string, onRested: () => void): (deliveries: number) => void {
      const startedAt = performance.now();
      running.set(organizationId, (running.get(organizationId) ?? 0) + 1);
      return (deliveries) => {
        const left = (running.get(organizationId) ?? 1) - 1;
        if (left > 0) running.set(organizationId, left);
        else running.delete(organizationId);
        clearTimeout(resting.get(organizationId));
        const endRest = () => {
          resting.delete(organizationId);
          onRested();
        };
        const ms = restMs(organizationId, performance.now() - startedAt, deliveries);
        resting.set(organizationId, setTimeout(endRest, ms).unref());
      };
    },
    clear(): void {
      for (const timer of resting.values()) clearTimeout(timer);
      resting = new Map();
      paidAt = new Map();
    },
  };
}
