import { RATE_LIMIT_REQUESTS, RATE_LIMIT_WINDOW_MS } from '@svc/contract';

/**
 * After an evaluation, the organization rests for three times the duration of the evaluation. Each change also causes
 * deliveries. If there are {@link FREE_DELIVERIES} more deliveries than an API key could cause with pings, the rest is
 * longer, but at most {@link REST_MAX_MS}.
 */
const REST_FACTOR = 3;
const REST_PER_DELIVERY_MS = RATE_LIMIT_WINDOW_MS / RATE_LIMIT_REQUESTS.api_key;
const FREE_DELIVERIES = 1_000;
const REST_MIN_MS = 500;
const REST_MAX_MS = 30_000;

/**
 * Limits the evaluations after changes of a time zone or of the first day of the week. Each change evaluates all
 * profiles, so an organization with many changes could keep the node busy. Its changes are evaluated one after another,
 * with a rest between them.
 */
export function createCalendarRests() {
  /** The organizations with a running evaluation of a change. */
  const running = new Set<string>();
  let resting = new Map<string, NodeJS.Timeout>();
  /** For each organization: the time by which pings could cause as many deliveries as the changes have caused. */
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
