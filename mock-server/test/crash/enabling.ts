import { call, type ServerProcess } from './server-process.ts';

/** An endpoint that was disabled and then made active again. The times are on the clock of `writtenAt`. */
export interface Enabling {
  endpointId: string;
  /**
   * When the endpoint was known to be inactive. A delivery that was accepted after this time, and was attempted, was
   * accepted after the endpoint was made active again.
   */
  inactiveAt: number;
  /** When the endpoint was known to be active again. */
  enabledAt: number;
}

/**
 * How long an endpoint stays inactive before it is made active again. By then, every node that stores events knows that
 * the endpoint is inactive.
 */
const INACTIVE_MS = 500;

/**
 * Makes each endpoint active again when it has been inactive for a while and has no pending deliveries. So every
 * delivery either ended before the endpoint became active or was accepted afterwards, and the count of failures in a
 * row restarts between the two.
 *
 * @param now - Reads the clock of `writtenAt`.
 */
export function createEnabler(key: string, now: (node: ServerProcess) => Promise<number>) {
  const enablings: Enabling[] = [];
  let inactive = new Map<string, { at: number; seenAtMs: number }>();
  return {
    enablings: enablings as readonly Enabling[],
    /** Looks for endpoints to make active, through a node that is not killed during the call. */
    async look(node: ServerProcess): Promise<void> {
      const { body } = await call(node, 'GET', '/v1/webhooks/endpoints', undefined, key);
      const seen = { at: await now(node), seenAtMs: performance.now() };
      const found = (body.data ?? []).filter(({ active }) => !active);
      inactive = new Map(found.map(({ id }) => [id, inactive.get(id) ?? seen]));
      for (const [endpointId, { at: inactiveAt, seenAtMs }] of inactive) {
        if (seen.seenAtMs - seenAtMs < INACTIVE_MS) continue;
        const pending = `/v1/webhooks/deliveries?limit=1&status=pending&endpointId=${endpointId}`;
        const { status: listed, body: page } = await call(node, 'GET', pending, undefined, key);
        if (listed !== 200 || page.data?.length !== 0) continue;
        const path = `/v1/webhooks/endpoints/${endpointId}`;
        const { status } = await call(node, 'PATCH', path, { active: true }, key);
        if (status !== 200) continue;
        enablings.push({ endpointId, inactiveAt, enabledAt: await now(node) });
        inactive.delete(endpointId);
      }
    },
  };
}
