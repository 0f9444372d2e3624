import { RATE_LIMIT_REQUESTS, RATE_LIMIT_WINDOW_MS } from '@svc/contract';

/**
 * After the evaluation of a calendar change, the organization rests: its next calendar change waits. The rest is three
 * times as long as the evaluation, but at least {@link REST_MIN_MS} and at most {@link REST_MAX_MS}.
 *
 * Each change also causes a delivery to every subscribed endpoint of the workspace. An API key can also cause
 * deliveries with pings, but only as many as its rate limit allows. An organization's changes may cause
 * {@link FREE_DELIVERIES} more deliveries than such pings could cause. Above this number, the rest is longer, but still
 * at most {@link REST_MAX_MS}.
 */
const REST_FACTOR = 3;
const REST_PER_DELIVERY_MS = RATE_LIMIT_WINDOW_MS / RATE_LIMIT_REQUESTS.api_key;
const FREE_DELIVERIES = 1_000;
const REST_MIN_MS = 500;
const REST_MAX_MS = 30_000;

/**
 * Limits the evaluations of calendar changes: changes of a workspace's time zone or of its first day of the week. An
 * API key can change its workspace's calendar as often as its rate limit allows, and each change evaluates all
 * profiles. Without a limit, one organization could keep the node busy. So the changes of one organization are
 * evaluated one after another, with a rest between them.
 */
export function createCalendarRests() {
  /**
   * The organizations with a running evaluation of a change. Their next change waits until this evaluation has ended.
   */
  const running = new Set<string>();
  /** The timer that ends each organization's rest. */
  let resting = new Map<string, NodeJS.Timeout>();
  /**
   * For each organization: the time by which an API key's pings could cause as many deliveries as the changes have
   * caused.
   */
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
    /** Returns the organizations with a running evaluation of a change. `includeResting` adds resting organizations. */
    organizations: ({ includeResting }: { includeResting: boolean }): string[] => [
      ...running,
      ...(includeResting ? resting.keys() : []),
    ],
    /**
     * Call this when the evaluation of a change begins.
     *
     * @param onRested - Called when the organization's next change may be evaluated.
     * @returns a function. Call it with the number of the evaluation's deliveries when the evaluation has ended.
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
