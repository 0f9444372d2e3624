import type { WebhookDelivery, WebhookDeliveryDetail } from '@svc/client';
import type { Scope } from '../context.ts';

const PAGE = 100;

/**
 * Follows the deliveries of a workspace, or of one endpoint, with the documented API only. Lists deliveries without
 * filters, because the service does not document the names of its filters. The first call of the returned function
 * yields nothing. Later calls yield the deliveries that were created after the first call, oldest first. Each delivery
 * is yielded once, after its first attempt. If a call fails, the next call yields the deliveries that the failed call
 * did not yield.
 */
export function createFollower({ webhooks: { deliveries } }: Pick<Scope, 'webhooks'>, endpoint?: string) {
  /** The creation time of the newest delivery that the first call read. Older deliveries are ignored. */
  let since: string | undefined;
  /** The ids of the deliveries that were yielded or skipped, and of all deliveries that the first call read. */
  const done = new Set<string>();
  /** The ids of deliveries that have not been yielded yet. Most of them have had no attempt, and so have no request. */
  const waiting = new Set<string>();

  const isWanted = ({ endpointId }: WebhookDelivery) => endpoint === undefined || endpointId === endpoint;
  // A delivery that became `disabled` before its first attempt is never sent.
  const isNeverSent = ({ attempt, status }: WebhookDelivery) => attempt === 0 && status === 'disabled';
  const isPast = ({ id, createdAt }: WebhookDelivery) => done.has(id) || createdAt < (since ?? '');

  /**
   * Reads pages of deliveries, newest first, until `isPast` is true for the last delivery of a page. The first call
   * reads one page.
   */
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
    // `newest()` does not read old pages, so `listed` may lack some waiting deliveries.
    const unlisted = [...waiting].filter((id) => !listed.some((one) => one.id === id));
    for (const id of [...unlisted, ...[...ready].reverse()]) {
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
