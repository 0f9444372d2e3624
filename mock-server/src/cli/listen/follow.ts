import type { WebhookDelivery, WebhookDeliveryDetail } from '@svc/client';
import type { Scope } from '../context.ts';

const PAGE = 100;

/**
 * Follows the deliveries of a workspace, or of one endpoint. Lists deliveries without filters, because a real service
 * does not document the names of its filters. The returned function yields each new delivery once, after the delivery's
 * first attempt, oldest first. If a call fails, the next call yields the remaining deliveries.
 */
export async function createFollower({ webhooks: { deliveries } }: Pick<Scope, 'webhooks'>, endpoint?: string) {
  const earlier = await deliveries.list({ limit: PAGE });
  /** The ids of deliveries that were yielded or skipped, or that existed at the start. */
  const done = new Set<string>(earlier.data.map(({ id }) => id));
  /** The ids of deliveries to yield after their first attempt. */
  const waiting = new Set<string>();

  const isWanted = ({ endpointId }: WebhookDelivery) => endpoint === undefined || endpointId === endpoint;
  // A delivery that became `disabled` before its first attempt is never sent.
  const isNeverSent = ({ attempt, status }: WebhookDelivery) => attempt === 0 && status === 'disabled';
  const isDone = ({ id }: WebhookDelivery) => done.has(id);

  async function newest(): Promise<WebhookDelivery[]> {
    const found: WebhookDelivery[] = [];
    for await (const { data } of deliveries.list({ limit: PAGE }).pages()) {
      found.push(...data);
      if (data.some(isDone)) break;
    }
    return found;
  }

  return async function* look(): AsyncGenerator<WebhookDeliveryDetail, void> {
    const listed = await newest();
    for (const delivery of listed.toReversed()) {
      if (!isWanted(delivery) || isNeverSent(delivery)) forget(delivery.id);
      else if (!isDone(delivery)) waiting.add(delivery.id);
    }
    for (const id of waiting) {
      if (listed.some((one) => one.id === id && one.attempt === 0)) continue;
      const delivery = await deliveries.retrieve(id);
      if (delivery.attempt === 0) continue;
      yield delivery;
      // Forget the delivery only now: if the caller fails to handle the delivery, the next call yields it again.
      forget(id);
    }
  };

  function forget(id: string): void {
    waiting.delete(id);
    done.add(id);
  }
}
