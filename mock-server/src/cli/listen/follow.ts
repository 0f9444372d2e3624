import type { WebhookDelivery, WebhookDeliveryDetail } from '@svc/client';
import type { Scope } from '../context.ts';

const PAGE = 100;

/**
 * Follows the deliveries of a workspace. Uses only the documented API. Lists the deliveries without filters, newest
 * first, because the service does not document the names of its filters. The first call of the returned function yields
 * nothing. Each later call yields the deliveries that were created after the first call and have had an attempt. Yields
 * each delivery only once, oldest first. If a call fails, the next call yields the deliveries that the failed call did
 * not yield. With `endpoint`, the calls yield only the deliveries to that endpoint.
 */
export function createFollower({ webhooks: { deliveries } }: Pick<Scope, 'webhooks'>, endpoint?: string) {
  /** The time at which the newest delivery of the first call was created. Older deliveries are ignored. */
  let since: string | undefined;
  /** The ids of deliveries that have been yielded, or that existed at the first call. */
  const done = new Set<string>();
  /** The ids of deliveries without an attempt. The requests of these deliveries are not known yet. */
  const waiting = new Set<string>();

  const isWanted = ({ endpointId }: WebhookDelivery) => endpoint === undefined || endpointId === endpoint;
  // A delivery to a disabled endpoint is never sent, so there is nothing to forward.
  const isNeverSent = ({ attempt, status }: WebhookDelivery) => attempt === 0 && status === 'disabled';
  const isPast = ({ id, createdAt }: WebhookDelivery) => done.has(id) || createdAt < (since ?? '');

  /** Reads pages of deliveries, newest first, until the last delivery of a page is already known. */
  async function newest(): Promise<WebhookDelivery[]> {
    const found: WebhookDelivery[] = [];
    for await (const page of deliveries.list({ limit: PAGE }).pages()) {
      found.push(...page.data);
      const last = page.data.at(-1);
      if (since === undefined || last === undefined || isPast(last)) break;
    }
    return found;
  }

  return async function* look(): AsyncGenerator<WebhookDeliveryDetail, void> {
    const listed = await newest();
    if (since === undefined) {
      since = listed[0]?.createdAt ?? '';
      for (const { id } of listed) done.add(id);
      return;
    }
    const ready = new Set<string>();
    for (const delivery of listed.filter((one) => !isPast(one))) {
      if (!isWanted(delivery) || isNeverSent(delivery)) {
        forget(delivery.id);
        continue;
      }
      waiting.add(delivery.id);
      if (delivery.attempt > 0) ready.add(delivery.id);
    }
    // `listed` does not contain every waiting delivery, because `newest()` does not read old pages.
    const unlisted = [...waiting].filter((id) => !listed.some((one) => one.id === id));
    for (const id of [...unlisted, ...[...ready].reverse()]) {
      const delivery = await deliveries.retrieve(id);
      if (delivery.attempt === 0) continue;
      yield delivery;
      // Forget the id only now: if the caller fails to handle the delivery, the next call yields the delivery again.
      forget(id);
    }
  };

  function forget(id: string): void {
    waiting.delete(id);
    done.add(id);
  }
}
