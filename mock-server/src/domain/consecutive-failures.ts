import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';

/**
 * The delivery statuses that change an endpoint's failure count. Deliveries that end as `disabled` do not change the
 * count.
 */
export type EndedStatus = 'success' | 'failed';

/** An endpoint's failure count, before or after a batch of ended deliveries. */
export interface FailureCount {
  consecutiveFailures: number;
  /** Whether the failure count of an active endpoint reaches its limit in the batch. */
  disables: boolean;
}

/**
 * Counts ended deliveries in order. `failed` adds one, `success` resets to zero (service document, "Webhook endpoint
 * activity"). The fifth consecutive failure disables an active endpoint, even if a success follows in the same batch.
 */
export function countFailures(
  endpoint: { consecutiveFailures: number; active: boolean },
  ended: readonly EndedStatus[],
): FailureCount {
  let count = endpoint.consecutiveFailures;
  let reached = false;
  for (const status of ended) {
    count = status === 'success' ? 0 : count + 1;
    reached ||= count >= CONSECUTIVE_FAILURES_MAX;
  }
  return { consecutiveFailures: count, disables: endpoint.active && reached };
}
