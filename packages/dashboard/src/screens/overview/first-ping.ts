import type { WorkspaceScope } from '@svc/client';

/** The ids of the pinged endpoints. A screen that is shown again must not ping the same endpoint again. */
const pinged = new Set<string>();

/**
 * Pings an endpoint in a workspace that has no deliveries. All windows of this browser together send only one ping.
 * Returns the delivery's id if this call sent the ping.
 */
export async function pingFirst(webhooks: WorkspaceScope['webhooks'], endpointId: string): Promise<string | undefined> {
  if (pinged.has(endpointId)) return undefined;
  pinged.add(endpointId);
  return await alone(`svc-dashboard first ping ${endpointId}`, async () => {
    // Check again that there are no deliveries: another window may have sent a ping, or somebody may have triggered an
    // event.
    if ((await webhooks.deliveries.list({ limit: 1 })).data.length > 0) return undefined;
    return (await webhooks.endpoints.sendTestEvent(endpointId)).deliveryId;
  });
}

/**
 * Does the work, unless another window is already doing this work. In an insecure context, the browser offers no locks,
 * so each window does the work.
 */
async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
  if (!('locks' in navigator)) return await work();
  return await navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock ? await work() : undefined));
}
