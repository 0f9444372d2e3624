import { CONSECUTIVE_FAILURES_MAX } from '@svc/contract';

/** A delivery that ends as `disabled` does not change an endpoint's failure count. */
export type EndedStatus = 'success' | 'failed';

/** Activating an inactive endpoint resets the endpoint's failure count. */
export const failuresAfterActivation = (endpoint: { consecutiveFailures: number; active: boolean }): number =>
  endpoint.active ? endpoint.consecutiveFailures : 0;

/** Five failures in a row disable an endpoint despite later success (service document, "Webhook endpoint activity"). */
export function countFailures(
  endpoint: { consecutiveFailures: number; active: boolean },
  ended: readonly EndedStatus[],
): { consecutiveFailures: number; disables: boolean } {
  let count = endpoint.consecutiveFailures;
  let reached = false;
  for (const status of ended) {
    count = status === 'success' ? 0 : count + 1;
    reached ||= count >= CONSECUTIVE_FAILURES_MAX;
  }
  return { consecutiveFailures: count, disables: endpoint.active && reached };
}
