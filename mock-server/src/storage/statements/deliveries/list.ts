import { DELIVERY_STATUSES, type ListWebhookDeliveriesQuery } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import { DRAWN_WITHIN_MS, highestIdAt, lowestIdAt } from '../../../domain/id-time.ts';
import { keyOfListId, listId } from '../../dialect.ts';
import { type Bound, idComparison } from '../../keyset.ts';
import type { Queries } from '../../port.ts';
import { findSetting } from '../settings.ts';
import { DELIVERY_COLUMNS, readDeliveries, type StoredDelivery } from './read.ts';

/**
 * Deliveries of a workspace, newest first. Each filter has an index that ends in the id, so a page is read in order. A
 * status has its own list: the queue for `pending`, the ends for the others. The deliveries of an endpoint come from all
 * these lists, merged.
 */
export async function listDeliveries(
  queries: Queries,
  workspaceId: string,
  filter: ListWebhookDeliveriesQuery,
  bound: Bound,
  limit: number,
): Promise<StoredDelivery[]> {
  const { endpointId, status } = filter;
  const order = bound.side === 'after' ? 'desc' : 'asc';
  const bounds = await boundsOf(queries, filter, bound);
  const page = (from: RawBuilder<unknown>, id: RawBuilder<string>, conditions: readonly RawBuilder<unknown>[]) => sql`
    select ${DELIVERY_COLUMNS} from ${from}
    where ${sql.join([...conditions, ...bounds(id)], sql` and `)} order by ${id} ${sql.raw(order)} limit ${limit}`;

  const withStatus = (one: string) => {
    const table = sql.table(one === 'pending' ? 'delivery_queue' : 'delivery_ends');
    const key = keyOfListId(queries, 'listed.delivery_id');
    return page(sql`${table} as listed join deliveries as delivery on delivery.id = ${key}`, sql`listed.delivery_id`, [
      sql`listed.workspace_id = ${workspaceId}`,
      ...(endpointId === undefined ? [] : [sql`listed.endpoint_id = ${endpointId}`]),
      ...(one === 'pending' ? [] : [sql`listed.status = ${one}`]),
    ]);
  };
  if (status !== undefined) return await readDeliveries(queries, withStatus(status), order);
  if (endpointId === undefined) {
    const inWorkspace = [sql`delivery.workspace_id = ${workspaceId}`];
    return await readDeliveries(
      queries,
      page(sql`deliveries as delivery`, listId(queries, 'delivery.id'), inWorkspace),
      order,
    );
  }
  const lists = DELIVERY_STATUSES.map((one) => sql`select * from (${withStatus(one)}) as ${sql.ref(one)}`);
  const merged = sql`
    select * from (${sql.join(lists, sql` union all `)}) as merged
    order by ${listId(queries, 'merged.id')} ${sql.raw(order)} limit ${limit}`;
  return await readDeliveries(queries, merged, order);
}

/**
 * The conditions that narrow a list, for the id by which it is sorted. Bounds of the creation time become bounds of the
 * id too, so rows outside of them are not read.
 */
async function boundsOf(
  queries: Queries,
  { eventType, createdFrom, createdTo }: ListWebhookDeliveriesQuery,
  bound: Bound,
): Promise<(id: RawBuilder<string>) => RawBuilder<unknown>[]> {
  const from = createdFrom === undefined ? undefined : Date.parse(createdFrom);
  const to = createdTo === undefined ? undefined : Date.parse(createdTo);
  const leadMs = to === undefined ? 0 : ((await findSetting(queries, 'idLeadMs')) ?? 0);
  return (id) => [
    ...(eventType === undefined ? [] : [sql`delivery.event_type = ${eventType}`]),
    ...(from === undefined
      ? []
      : [sql`${id} >= ${lowestIdAt('webhookDelivery', from - DRAWN_WITHIN_MS)}`, sql`delivery.created_at >= ${from}`]),
    ...(to === undefined
      ? []
      : [
          sql`${id} <= ${highestIdAt('webhookDelivery', to + leadMs + DRAWN_WITHIN_MS)}`,
          sql`delivery.created_at <= ${to}`,
        ]),
    ...(bound.key === undefined ? [] : [sql`${id} ${sql.raw(idComparison(bound))} ${bound.key}`]),
  ];
}

/** The newest deliveries of an endpoint, at most `limit`; `undefined` if there is no such endpoint. */
export async function findDeliveriesOfEndpoint(
  queries: Queries,
  endpointId: string,
  limit: number,
): Promise<StoredDelivery[] | undefined> {
  const endpoint = await queries
    .selectFrom('webhook_endpoints')
    .select('workspace_id')
    .where('id', '=', endpointId)
    .executeTakeFirst();
  if (!endpoint) return undefined;
  const newest = { side: 'after', key: undefined, inclusive: false } as const;
  return await listDeliveries(queries, endpoint.workspace_id, { endpointId }, newest, limit);
}
