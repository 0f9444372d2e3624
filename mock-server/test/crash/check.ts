import { type RawBuilder, sql } from 'kysely';
import { keyOfListId } from '../../src/storage/dialect.ts';
import type { Queries } from '../../src/storage/port.ts';
import { readDeliveries } from '../../src/storage/statements/deliveries/read.ts';
import { checkEndpoint } from './check-endpoint.ts';
import type { Enabling } from './enabling.ts';
import { endsInOrder, writtenAt } from './ends-in-order.ts';
import { openDatabase } from './open-database.ts';
import { RETRY_DELAYS_MS } from './plan.ts';
import type { Seen } from './receiver.ts';
import { type Break, type UnderWay, underWay } from './sent-twice.ts';

/** What the harness saw. */
export interface Observed {
  /** Deliveries that a server accepted as pending. */
  accepted: ReadonlySet<string>;
  received: ReadonlyMap<string, Seen>;
  breaks: readonly Break[];
  enablings: readonly Enabling[];
}

/** What the database and the receiver show at the end. */
export interface Findings {
  accepted: number;
  /**
   * Accepted deliveries that have not ended, that the receiver never saw, or that ended as `disabled` although their
   * endpoint was never disabled.
   */
  lost: number;
  /** Requests without an attempt in the log: a node died between the request and its write-back. */
  sentTwice: number;
  /** Requests that were in progress during the breaks. */
  underWay: UnderWay;
  /** Results that came back after the session of their node had ended. */
  late: number;
  /** How often an endpoint was disabled because its deliveries failed. */
  disabled: number;
  /** The maximum time, in milliseconds, by which an event is dated before an event that was stored earlier. */
  datedBackMs: number;
  /** The contradictions, as sentences. */
  wrong: string[];
}

/** Compares the log, the deliveries, the counters and the received requests. */
export async function check(database: string, observed: Observed): Promise<Findings> {
  const { accepted, received, breaks } = observed;
  await using storage = await openDatabase(database);
  return await storage.read(async (queries) => {
    const deliveries = await readDeliveries(queries, sql`select * from deliveries`);
    const attempts = await queries.selectFrom('delivery_attempts').selectAll().orderBy('id').execute();
    const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
    const attemptsById = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
    const { disabledIds, ...endpoints } = await checkEndpoints(queries, observed.enablings);
    const wrong: string[] = [...endpoints.wrong];

    const lost = [...accepted].filter((id) => {
      const delivery = byId.get(id);
      if (delivery === undefined || delivery.status === 'pending') return true;
      return delivery.status === 'disabled' ? !disabledIds.has(delivery.endpoint_id) : !received.has(id);
    });
    let sentTwice = 0;
    for (const delivery of deliveries) {
      const log = attemptsById.get(delivery.id) ?? [];
      const counted = log.filter(({ late }) => late === 0);
      const numbers = counted.map(({ number }) => number);
      const expected = Array.from({ length: delivery.attempt }, (_, index) => index + 1);
      if (numbers.join() !== expected.join())
        wrong.push(`${delivery.id} counts ${delivery.attempt} attempts, but logged ${numbers}`);
      if (delivery.attempt > RETRY_DELAYS_MS.length + 1) wrong.push(`${delivery.id} had too many attempts`);
      if (delivery.status === 'success' && counted.at(-1)?.error !== null)
        wrong.push(`${delivery.id} is success, but its last attempt failed`);
      if (delivery.status === 'failed' && counted.length <= RETRY_DELAYS_MS.length)
        wrong.push(`${delivery.id} was given up too early`);
      if (delivery.status !== 'success' && counted.some(({ error }) => error === null))
        wrong.push(`${delivery.id} is ${delivery.status}, but an attempt succeeded`);
      const requests = received.get(delivery.id)?.requests ?? [];
      const unlogged = Math.max(0, requests.length - log.length);
      const { open, answered } = underWay(requests, breaks);
      if (unlogged > open + answered) wrong.push(`${delivery.id} was sent twice, but was not under way`);
      sentTwice += unlogged;
    }
    const queue = await queries.selectFrom('delivery_queue').selectAll().execute();
    const ends = await queries.selectFrom('delivery_ends').select('delivery_id').execute();
    if (queue.length + ends.length !== deliveries.length)
      wrong.push(`${deliveries.length} deliveries have ${queue.length} places in the queue and ${ends.length} ends`);
    if (queue.length > 0) wrong.push(`${queue.length} deliveries are still in the queue`);
    const lanes = await queries.selectFrom('delivery_lanes').selectAll().execute();
    const full = lanes.filter(({ turn_at, node }) => turn_at ?? node);
    if (full.length > 0) wrong.push(`${full.length} lanes are not empty`);
    return {
      accepted: accepted.size,
      lost: lost.length,
      sentTwice,
      underWay: underWay(
        [...received.values()].flatMap(({ requests }) => requests),
        breaks,
      ),
      late: attempts.filter(({ late }) => late === 1).length,
      disabled: endpoints.disabled,
      datedBackMs: await furthestBack(queries),
      wrong,
    };
  });
}

/** When something was written for an endpoint, on the clock of {@link writtenAt}. */
interface Dated {
  endpointId: string;
  at: number;
}

/** Compares what is stored about each endpoint with how its deliveries ended. */
async function checkEndpoints(queries: Queries, enablings: readonly Enabling[]) {
  const endpoints = await queries.selectFrom('webhook_endpoints').selectAll().execute();
  const ends = Map.groupBy(await endsInOrder(queries), ({ endpointId }) => endpointId);
  const read = async (query: RawBuilder<Dated>) => (await query.execute(queries)).rows;
  const events = await read(sql`
    select subject_id as "endpointId", ${writtenAt(queries, 'event')} as at
    from events as event where type = 'webhook.endpoint.auto_disabled'`);
  const notifications = await read(sql`
    select endpoint_id as "endpointId", ${writtenAt(queries, 'notification')} as at
    from notifications as notification`);
  const stopped = await read(sql`
    select delivery.endpoint_id as "endpointId", ${writtenAt(queries, 'event')} as at
    from delivery_ends as ended join deliveries as delivery on ${keyOfListId(queries, 'ended.delivery_id')} = delivery.id
    join events as event on event.id = delivery.event_id
    where ended.status = 'disabled'`);
  const timesOf = (rows: readonly Dated[]) => {
    const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
    return (id: string) => (byEndpoint.get(id) ?? []).map(({ at }) => at);
  };
  const [disabledAt, notifiedAt, disabledDeliveries] = [timesOf(events), timesOf(notifications), timesOf(stopped)];
  const wrong = endpoints.flatMap(({ id, active, consecutive_failures }) =>
    checkEndpoint(
      {
        id,
        active: active === 1,
        consecutiveFailures: consecutive_failures,
        ends: ends.get(id) ?? [],
        disabledDeliveries: disabledDeliveries(id),
        disabledAt: disabledAt(id),
        notifiedAt: notifiedAt(id),
      },
      enablings.filter(({ endpointId }) => endpointId === id),
    ),
  );
  return { wrong, disabled: events.length, disabledIds: new Set(events.map(({ endpointId }) => endpointId)) };
}

async function furthestBack(queries: Queries): Promise<number> {
  const { rows } = await sql<{ ms: number }>`
    select max(newest - created_at) as ms from (
      select created_at, max(created_at) over (order by ${writtenAt(queries, 'event')}, id) as newest from events as event
    ) as dated`.execute(queries);
  return Number(rows[0]?.ms ?? 0);
}
