import { call, type ServerProcess } from './server-process.ts';

/** An endpoint that had been disabled and was made active again; the times are on the clock of `writtenAt`. */
export interface Enabling {
  endpointId: string;
  /** When it was known to be inactive. What was accepted later and was attempted was accepted after the change. */
  inactiveAt: number;
  /** When it was known to be active. */
  enabledAt: number;
}

/** How long an endpoint was inactive before it is made active again: whoever stores an event has seen it by then. */
const INACTIVE_MS = 500;

/**
 * Makes endpoints active again, each when it was inactive for a while and nothing of it is pending: so every delivery
 * either ended before that or was accepted after it, and the count of failures in a row begins anew between the two.
 *
 * @param now - Reads the clock of `writtenAt`.
 */
export function createEnabler(key: string, now: (node: ServerProcess) => Promise<number>) {
  const enablings: Enabling[] = [];
  let inactive = new Map<string, { at: number; seenAtMs: number }>();
  return {
    enablings: enablings as readonly Enabling[],
    /** A look, through a node that is not killed meanwhile. */
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
