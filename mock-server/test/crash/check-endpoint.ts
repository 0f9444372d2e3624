import type { Enabling } from './enabling.ts';
import type { End } from './ends-in-order.ts';

/** How many failed deliveries in a row disable an endpoint (service document, "Webhook endpoint activity"). */
const DISABLING_FAILURE = 5;

/** A node that has read that an endpoint is inactive may store `disabled` deliveries for this long after the read. */
const STORED_WITHIN_MS = 1_000;

/** What is stored about an endpoint. */
export interface StoredEndpoint {
  id: string;
  active: boolean;
  consecutiveFailures: number;
  /** Its deliveries that ended with an attempt, in the order in which their ends were written. */
  ends: readonly End[];
  /** When its deliveries that ended as `disabled` were accepted. */
  disabledDeliveries: readonly number[];
  /** When the endpoint was disabled, according to its events. */
  disabledAt: readonly number[];
  /** When a user was notified that the endpoint was disabled. */
  notifiedAt: readonly number[];
}

/**
 * Counts an endpoint's failures in a row again, and restarts the count each time the endpoint was made active. Compares
 * the result with what is stored: the endpoint must be inactive if and only if five deliveries failed in a row. Each
 * time, there must be one event and one notification. Deliveries may end as `disabled` only if the endpoint was
 * disabled.
 *
 * @param enablings - The enablings of this endpoint, in order.
 * @returns the contradictions, as sentences.
 */
export function checkEndpoint(endpoint: StoredEndpoint, enablings: readonly Enabling[]): string[] {
  const { id, ends, disabledDeliveries, disabledAt, notifiedAt } = endpoint;
  const periodOf = (at: number) => enablings.filter(({ inactiveAt }) => inactiveAt <= at).length;
  const known = (at: number) =>
    enablings.some(({ inactiveAt, enabledAt }) => inactiveAt <= at && at <= enabledAt + STORED_WITHIN_MS);
  const wrong: string[] = [];
  for (let period = 0; period <= enablings.length; period++) {
    const isIn = (at: number) => periodOf(at) === period;
    const { failures, disables } = countAgain(ends.filter(({ acceptedAt }) => isIn(acceptedAt)));
    const name = `${id}, made active ${period} times,`;
    const expected = disables ? 1 : 0;
    const events = disabledAt.filter(isIn).length;
    const told = notifiedAt.filter(isIn).length;
    if (events !== expected || told !== expected)
      wrong.push(`${name} was disabled ${expected} times, but has ${events} events and ${told} notifications`);
    const stopped = disabledDeliveries.filter((at) => isIn(at) && !known(at)).length;
    if (!disables && stopped > 0) wrong.push(`${name} was not disabled, but ${stopped} deliveries to it were`);
    if (period < enablings.length) {
      if (!disables) wrong.push(`${name} was found inactive without ${DISABLING_FAILURE} failures in a row`);
    } else {
      if (endpoint.active === disables) wrong.push(`${name} is wrongly ${endpoint.active ? 'active' : 'inactive'}`);
      if (endpoint.consecutiveFailures !== failures)
        wrong.push(`${name} counts ${endpoint.consecutiveFailures} failures in a row, but had ${failures}`);
    }
  }
  return wrong;
}

/** Does not use the engine's rule, because this function checks the engine. */
function countAgain(ends: readonly End[]): { failures: number; disables: boolean } {
  const lastSuccess = ends.findLastIndex(({ status }) => status === 'success');
  const inARow = ends.map((_, index) => ends.slice(Math.max(0, index + 1 - DISABLING_FAILURE), index + 1));
  const disables = inARow.some(
    (row) => row.length === DISABLING_FAILURE && row.every(({ status }) => status === 'failed'),
  );
  return { failures: ends.length - 1 - lastSuccess, disables };
}
