import type { ListDeliveriesParams, WebhookDelivery, WebhookDeliveryDetail } from '@svc/client';
import type { Scope } from '../../context.ts';

const PAGE = 100;
const FIRST_PAGES = 10;
/** The maximum number of ended deliveries to remember. The first call reads at most this many deliveries. */
const ENDED_MAX = FIRST_PAGES * PAGE;
/** How many of the newest pending deliveries to follow. Older pending deliveries are ignored. */
const PENDING_MAX = 1000;

/**
 * Each call of the returned function returns the deliveries that are new or have changed since the previous call,
 * oldest first. The function filters by `status` itself, because `newest()` stops at a page without changes. If the API
 * filtered by status, a delivery that has just reached the status might come after such a page.
 */
export function createChanges(svc: Scope, { status, ...params }: ListDeliveriesParams) {
  const { deliveries } = svc.webhooks;
  /** The state of each delivery at the previous call, keyed by the delivery's id. */
  const known = new Map<string, string>();
  let maxPages: number | undefined = FIRST_PAGES;

  const isChanged = (delivery: WebhookDelivery) => known.get(delivery.id) !== stateOf(delivery);

  /** Reads pages of deliveries, newest first, until a page contains no new or changed delivery. */
  async function newest(): Promise<WebhookDelivery[]> {
    const found: WebhookDelivery[] = [];
    for await (const page of deliveries.list({ ...params, limit: PAGE }).pages({ maxPages })) {
      found.push(...page.data);
      if (!page.data.some(isChanged)) break;
    }
    maxPages = undefined;
    return found;
  }

  function forget(): void {
    const past = [...known].filter(([, state]) => !isPending(state)).map(([id]) => id);
    for (const id of past.slice(0, -ENDED_MAX)) known.delete(id);
  }

  return async function look(): Promise<WebhookDelivery[]> {
    const pending = await deliveries.list({ ...params, status: 'pending' }).collect({ limit: PENDING_MAX });
    // Put the result of `newest()` last: its states are newer, so they must replace the states from `pending`.
    const listed = [...pending, ...(await newest())];
    const read = new Map<string, WebhookDelivery>(listed.map((delivery) => [delivery.id, delivery]));
    // If `pending` is full, older deliveries may also be pending, so skip all deliveries older than `oldest`.
    const oldest = pending.length === PENDING_MAX ? (pending.at(-1)?.id ?? '') : '';
    // A delivery that was pending at the previous call, but is in none of the lists, has ended.
    for (const [id, state] of known) {
      if (!isPending(state) || read.has(id) || id <= oldest) continue;
      try {
        read.set(id, asListed(await deliveries.retrieve(id)));
      } catch (error) {
        // A 404 means that the delivery has expired.
        if ((error as { status?: unknown }).status !== 404) throw error;
        known.delete(id);
      }
    }
    const changed = [...read.values()].filter(isChanged);
    changed.sort((one, other) => (one.id < other.id ? -1 : 1));
    for (const delivery of changed) known.set(delivery.id, stateOf(delivery));
    forget();
    return changed.filter((delivery) => status === undefined || delivery.status === status);
  };
}

function asListed(detail: WebhookDeliveryDetail): WebhookDelivery {
  const { nextAttemptAt, requestBody, requestHeaders, responseBody, responseHeaders, subject, ...listed } = detail;
  return listed;
}

const stateOf = ({ status, attempt }: WebhookDelivery) => `${status} ${attempt}`;
const isPending = (state: string) => state.startsWith('pending');
