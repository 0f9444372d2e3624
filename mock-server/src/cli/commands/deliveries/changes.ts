import type { ListDeliveriesParams, WebhookDelivery, WebhookDeliveryDetail } from '@svc/client';
import type { Scope } from '../../context.ts';

const PAGE = 100;
/** How many pages of deliveries the first call to `look` reads. */
const FIRST_PAGES = 10;
/**
 * How many ended deliveries to remember. `newest()` stops at the first page that contains only remembered deliveries.
 */
const ENDED_MAX = FIRST_PAGES * PAGE;
/** The maximum number of pending deliveries to follow. Only the newest are followed. */
const PENDING_MAX = 1000;

/**
 * Returns a function that follows the deliveries that match `params`. Each call of this function returns the deliveries
 * that are new or have changed since the previous call, oldest first. The first call returns the newest 1,000
 * deliveries, and the newest 1,000 pending deliveries. The returned function filters by `status` itself. If the API
 * filtered by `status`, `newest()` could miss an older delivery that has just reached this status.
 */
export function createChanges(svc: Scope, { status, ...params }: ListDeliveriesParams) {
  const { deliveries } = svc.webhooks;
  /** The state of each delivery at the previous call, by id. */
  const known = new Map<string, string>();
  let isFirst = true;

  const isChanged = (delivery: WebhookDelivery) => known.get(delivery.id) !== stateOf(delivery);

  /** Reads pages of deliveries, newest first, until a page contains no new or changed delivery. */
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

  /** Reads each delivery that was pending at the previous call, but is not in the lists that this call has read. */
  async function ended(read: ReadonlyMap<string, WebhookDelivery>, pending: readonly WebhookDelivery[]) {
    // If `pending` is full, it may lack older pending deliveries. So do not read deliveries that are older than the
    // last delivery in `pending`.
    const oldest = pending.length === PENDING_MAX ? (pending.at(-1)?.id ?? '') : '';
    const found: WebhookDelivery[] = [];
    for (const [id, state] of known) {
      if (!isPending(state) || read.has(id) || id <= oldest) continue;
      try {
        found.push(asListed(await deliveries.retrieve(id)));
      } catch (error) {
        // The delivery has expired.
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
    // `newest()` runs after `pending` was read. Add its states last, so that they replace the older states.
    for (const delivery of [...pending, ...(await newest())]) read.set(delivery.id, delivery);
    for (const delivery of await ended(read, pending)) read.set(delivery.id, delivery);
    const changed = [...read.values()].filter(isChanged);
    changed.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const delivery of changed) known.set(delivery.id, stateOf(delivery));
    forget();
    return changed.filter((delivery) => status === undefined || delivery.status === status);
  };
}

/** Removes the fields that the API does not return in lists. */
function asListed(detail: WebhookDeliveryDetail): WebhookDelivery {
  const { nextAttemptAt, requestBody, requestHeaders, responseBody, responseHeaders, subject, ...listed } = detail;
  return listed;
}

const stateOf = ({ status, attempt }: WebhookDelivery) => `${status} ${attempt}`;
const isPending = (state: string) => state.startsWith('pending');
