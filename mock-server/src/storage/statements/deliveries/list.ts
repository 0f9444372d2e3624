import { DELIVERY_STATUSES, type ListWebhookDeliveriesQuery } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import { DRAWN_WITHIN_MS, highestIdAt, lowestIdAt } from '../../../domain/id-time.ts';
import { firstMillisecondFrom } from '../../../domain/instant.ts';
import { keyOfListId, listId } from '../../dialect.ts';
import { type Bound, type Found, idComparison, idOrder } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import { chooseStretch, foundUpTo, type OrderedRows, unindexed, upTo } from '../../stretch.ts';
import { findEndpointAnywhere } from '../endpoints.ts';
import { findSetting } from '../settings.ts';
import { readDeliveries, type StoredDelivery } from './read.ts';

type Filter = ListWebhookDeliveriesQuery & { workspaceId: string };

/**
 * Lists the deliveries of a workspace, newest first. For each filter, there is an index whose last column is the id, so
 * the database reads the rows from the index in the order of the list. Each status has a separate list: the queue for
 * `pending`, and a part of `delivery_ends` for every other status.
 *
 * No index covers an event type together with a status or an endpoint. For such a filter, {@link chooseStretch} chooses
 * the lists to read, and a page can have fewer than `limit` rows, even if the list has more matching rows.
 */
export async function listDeliveries(
  queries: Queries,
  filter: Filter,
  bound: Bound,
  limit: number,
): Promise<Found<StoredDelivery>> {
  const order = idOrder(bound);
  const boundsOfId = await boundsOf(queries, filter, bound);
  const statuses = statusLists(queries, filter, boundsOfId);
  const deliveries = [deliveryList(queries, filter, boundsOfId)];
  const hasStatusOrEndpoint = filter.status !== undefined || filter.endpointId !== undefined;
  const choices = [
    ...(hasStatusOrEndpoint ? [statuses] : []),
    ...(filter.eventType !== undefined || !hasStatusOrEndpoint ? [deliveries] : []),
  ];
  const { choice, end } = await chooseStretch(queries, choices, bound);

  const pages = (choices[choice] ?? []).map(({ from, id, where, join, others }) => {
    const conditions = sql.join([...where, ...upTo(end, id, bound), ...others, ...createdWithin(filter)], sql` and `);
    return sql`select delivery.* from ${from} ${join} where ${conditions}
      order by ${id} ${sql.raw(order)} limit ${limit}`;
  });
  const rows = await readDeliveries(queries, merge(queries, pages, order, limit), order);
  return foundUpTo(rows, end, limit);
}

interface DeliveryList extends OrderedRows {
  /** The SQL that joins the table `deliveries` to the list. */
  join: RawBuilder<unknown>;
  /** The conditions that the index does not cover. */
  others: readonly RawBuilder<unknown>[];
}

type BoundsOfId = (id: RawBuilder<string>) => readonly RawBuilder<unknown>[];

/** Returns the list for the status in `filter`, or the lists for all statuses if `filter` has no status. */
function statusLists(queries: Queries, filter: Filter, boundsOfId: BoundsOfId): DeliveryList[] {
  const { workspaceId, endpointId, status, eventType } = filter;
  const id = sql<string>`listed.delivery_id`;
  return (status === undefined ? DELIVERY_STATUSES : [status]).map((one) => ({
    from: sql`${sql.table(one === 'pending' ? 'delivery_queue' : 'delivery_ends')} as listed`,
    id,
    where: [
      sql`listed.workspace_id = ${workspaceId}`,
      ...(endpointId === undefined ? [] : [sql`listed.endpoint_id = ${endpointId}`]),
      ...(one === 'pending' ? [] : [sql`listed.status = ${one}`]),
      ...boundsOfId(id),
    ],
    join: sql`join deliveries as delivery on delivery.id = ${keyOfListId(queries, 'listed.delivery_id')}`,
    others: eventType === undefined ? [] : [sql`${unindexed('delivery.event_type')} = ${eventType}`],
  }));
}

function deliveryList(queries: Queries, filter: Filter, boundsOfId: BoundsOfId): DeliveryList {
  const { workspaceId, endpointId, status, eventType } = filter;
  const id = listId(queries, 'delivery.id');
  const place = sql`listed.workspace_id = ${workspaceId} and listed.delivery_id = ${id}`;
  const hasStatus =
    status === 'pending'
      ? sql`(select 1 from delivery_queue as listed where ${place}) = 1`
      : sql`(select 1 from delivery_ends as listed where ${place} and listed.status = ${status}) = 1`;
  return {
    from: sql`deliveries as delivery`,
    id,
    where: [
      sql`delivery.workspace_id = ${workspaceId}`,
      ...(eventType === undefined ? [] : [sql`delivery.event_type = ${eventType}`]),
      ...boundsOfId(id),
    ],
    join: sql``,
    others: [
      ...(endpointId === undefined ? [] : [sql`delivery.endpoint_id = ${endpointId}`]),
      ...(status === undefined ? [] : [hasStatus]),
    ],
  };
}

function merge(queries: Queries, pages: readonly RawBuilder<unknown>[], order: 'asc' | 'desc', limit: number) {
  const [page] = pages;
  if (page !== undefined && pages.length === 1) return page;
  const parts = pages.map((one) => sql`select * from (${one}) as latest`);
  return sql`
    select * from (${sql.join(parts, sql` union all `)}) as merged
    order by ${listId(queries, 'merged.id')} ${sql.raw(order)} limit ${limit}`;
}

/** Ids contain a time, so a filter by creation time also bounds the ids. Rows outside these bounds are not read. */
async function boundsOf(queries: Queries, { createdFrom, createdTo }: Filter, bound: Bound): Promise<BoundsOfId> {
  const from = createdFrom === undefined ? undefined : firstMillisecondFrom(createdFrom) - DRAWN_WITHIN_MS;
  const leadMs = createdTo === undefined ? 0 : ((await findSetting(queries, 'idLeadMs')) ?? 0);
  const to = createdTo === undefined ? undefined : Date.parse(createdTo) + leadMs + DRAWN_WITHIN_MS;
  return (id) => [
    ...(from === undefined ? [] : [sql`${id} >= ${lowestIdAt('webhookDelivery', from)}`]),
    ...(to === undefined ? [] : [sql`${id} <= ${highestIdAt('webhookDelivery', to)}`]),
    ...(bound.key === undefined ? [] : [sql`${id} ${sql.raw(idComparison(bound))} ${bound.key}`]),
  ];
}

const createdWithin = ({ createdFrom, createdTo }: Filter): RawBuilder<unknown>[] => [
  ...(createdFrom === undefined ? [] : [sql`delivery.created_at >= ${firstMillisecondFrom(createdFrom)}`]),
  ...(createdTo === undefined ? [] : [sql`delivery.created_at <= ${Date.parse(createdTo)}`]),
];

/** Returns `undefined` if there is no such endpoint. */
export async function findDeliveriesOfEndpoint(queries: Queries, endpointId: string, limit: number) {
  const endpoint = await findEndpointAnywhere(queries, endpointId);
  if (!endpoint) return undefined;
  const newest = { side: 'after', key: undefined, inclusive: false } as const;
  const { rows } = await listDeliveries(queries, { workspaceId: endpoint.workspace_id, endpointId }, newest, limit);
  return rows;
}
