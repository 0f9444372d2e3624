import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';

/** How a delivery ended, as far as its endpoint's count goes; deliveries that end `disabled` change nothing. */
export type EndedStatus = 'success' | 'failed';

/** An endpoint's count before and behind a batch of deliveries that ended. */
export interface FailureCount {
  consecutiveFailures: number;
  /** Whether the batch takes the count of an active endpoint to its limit. */
  disables: boolean;
}

/**
 * Counts deliveries that ended, in their order: `failed` adds one, `success` begins anew (service document, "Webhook
 * endpoint activity"). The fifth failure in a row disables an active endpoint, even if a success stands behind it.
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
