import type { ListDeliveriesParams, WebhookDelivery, WebhookDeliveryDetail } from '@svc/client';
import type { Scope } from '../../context.ts';

const PAGE = 100;
/** Pages that the first look reads. */
const FIRST_PAGES = 10;
/** Deliveries that have ended and are remembered: enough to know whole pages again. */
const ENDED_MAX = FIRST_PAGES * PAGE;
/** Pending deliveries whose changes are followed, the newest ones. */
const PENDING_MAX = 1000;

/**
 * Follows the deliveries that match `params`. Each call returns those that are new or have changed since the call
 * before, oldest first. The first call returns what is there: the newest 1,000, and the newest 1,000 that are pending.
 *
 * The status is not asked of the API: a delivery that changes its status would be lost between two looks.
 */
export function createChanges(svc: Scope, { status, ...params }: ListDeliveriesParams) {
  const { deliveries } = svc.webhooks;
  /** The state of each delivery as of the last look. */
  const known = new Map<string, string>();
  let isFirst = true;

  const isChanged = (delivery: WebhookDelivery) => known.get(delivery.id) !== stateOf(delivery);

  /** Reads the newest pages, until one holds nothing new or changed. */
  async function newest(): Promise<WebhookDelivery[]> {
    const found: WebhookDelivery[] = [];
    const maxPages = isFirst ? FIRST_PAGES : undefined;
    isFirst = false;
    for await (const page of deliveries.list({ ...params, limit: PAGE }).pages({ maxPages })) {
      found.push(...page.data);
      if (!page.data.some(isChanged)) break;
    }
    return found;
  }

  /** Reads the deliveries that were pending, and are not among those any more. */
  async function ended(read: ReadonlyMap<string, WebhookDelivery>, pending: readonly WebhookDelivery[]) {
    // Older ones may still be pending: the list was cut.
    const oldest = pending.length === PENDING_MAX ? (pending.at(-1)?.id ?? '') : '';
    const found: WebhookDelivery[] = [];
    for (const [id, state] of known) {
      if (!isPending(state) || read.has(id) || id <= oldest) continue;
      try {
        found.push(asListed(await deliveries.retrieve(id)));
      } catch (error) {
        // Its time of storage may be over.
        if ((error as { status?: unknown }).status !== 404) throw error;
        known.delete(id);
      }
    }
    return found;
  }

  function forget(): void {
    const past = [...known].filter(([, state]) => !isPending(state)).map(([id]) => id);
    for (const id of past.slice(0, -ENDED_MAX)) known.delete(id);
  }

  return async function look(): Promise<WebhookDelivery[]> {
    const read = new Map<string, WebhookDelivery>();
    const pending = await deliveries.list({ ...params, status: 'pending' }).collect({ limit: PENDING_MAX });
    // Read later, so it says more of those that are in both.
    for (const delivery of [...pending, ...(await newest())]) read.set(delivery.id, delivery);
    for (const delivery of await ended(read, pending)) read.set(delivery.id, delivery);
    const changed = [...read.values()].filter(isChanged);
    changed.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const delivery of changed) known.set(delivery.id, stateOf(delivery));
    forget();
    return changed.filter((delivery) => status === undefined || delivery.status === status);
  };
}

/** The delivery as lists show it. */
function asListed(detail: WebhookDeliveryDetail): WebhookDelivery {
  const { nextAttemptAt, requestBody, requestHeaders, responseBody, responseHeaders, subject, ...listed } = detail;
  return listed;
}

const stateOf = ({ status, attempt }: WebhookDelivery) => `${status} ${attempt}`;
const isPending = (state: string) => state.startsWith('pending');
