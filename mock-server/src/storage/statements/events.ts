import type { ListEventsQuery } from '@svc/contract';
import { type RawBuilder, sql } from 'kysely';
import { countUpTo } from '../../domain/count-up-to.ts';
import { envelopeOf, type NewEvent } from '../../domain/event-envelope.ts';
import { isPostgres, listId, lockingForUse } from '../dialect.ts';
import { type Bound, type Found, idComparison, idOrder } from '../keyset.ts';
import { insertRows } from '../many-rows.ts';
import type { Queries } from '../port.ts';
import { chooseStretch, foundUpTo, unindexed, upTo } from '../stretch.ts';

export const insertEvents = (queries: Queries, events: readonly NewEvent[]): Promise<void> =>
  insertRows(queries, 'events', events, {
    id: ['text', ({ id }) => id],
    workspace_id: ['text', ({ workspaceId }) => workspaceId],
    type: ['text', ({ type }) => type],
    subject_type: ['text', ({ subject }) => subject?.type ?? null],
    subject_id: ['text', ({ subject }) => subject?.id ?? null],
    body: ['text', envelopeOf],
    created_at: ['bigint', ({ createdAt }) => createdAt],
    traceparent: ['text', ({ traceparent }) => traceparent ?? null],
  });

export async function insertReplayedEvent(
  queries: Queries,
  replay: { id: string; workspaceId: string; originalEventId: string },
): Promise<void> {
  await queries
    .insertInto('replayed_events')
    .values({ id: replay.id, workspace_id: replay.workspaceId, original_event_id: replay.originalEventId })
    .execute();
}

/** Protects an event from deletion until the transaction ends. Returns false if the event does not exist. */
export async function keepEvent(queries: Queries, id: string): Promise<boolean> {
  const { rows } = await sql`select id from events where id = ${id} ${lockingForUse(queries)}`.execute(queries);
  return rows.length > 0;
}

/** A page of events ends when it reaches this size. Otherwise, 100 events of 64 KiB would delay all other requests. */
const PAGE_MAX_BYTES = 1024 * 1024;

/**
 * Lists the events of a workspace, newest first. Each filter has an index that ends with the id. With several filters,
 * {@link chooseStretch} chooses one of their indexes, and a page can have fewer than `limit` rows, even if more rows
 * match. A page of large events can also have fewer rows (`PAGE_MAX_BYTES`).
 */
export async function listEvents(
  queries: Queries,
  { workspaceId, ...filter }: ListEventsQuery & { workspaceId: string },
  bound: Bound,
  limit: number,
): Promise<Found<{ id: string; body: string }>> {
  const id = listId(queries);
  const beyond = bound.key === undefined ? [] : [sql`${id} ${sql.raw(idComparison(bound))} ${bound.key}`];
  const given = Object.entries({
    type: filter.type,
    subject_type: filter.subjectType,
    subject_id: filter.subjectId,
  }).flatMap(([column, value]) => (value === undefined ? [] : [[column, value] as const]));
  const listOf = (conditions: readonly RawBuilder<unknown>[]) => ({
    from: sql`events`,
    id,
    where: [sql`workspace_id = ${workspaceId}`, ...conditions, ...beyond],
  });
  const lists = given.map(([column, value]) => [listOf(indexedConditions(queries, column, value))] as const);
  const { choice, end } = await chooseStretch(queries, lists, bound);
  const [{ where }] = lists[choice] ?? [listOf([])];
  const others = given
    .filter((_, index) => index !== choice)
    .map(([column, value]) => sql`${unindexed(column)} = ${value}`);
  const { rows: found } = await sql<{ id: string; bytes: number }>`
    select id, octet_length(body) as bytes from events
    where ${sql.join([...where, ...upTo(end, id, bound), ...others], sql` and `)}
    order by ${id} ${sql.raw(idOrder(bound))} limit ${limit}`.execute(queries);
  const count = countUpTo(
    PAGE_MAX_BYTES,
    found.map(({ bytes }) => bytes),
  );
  const last = found[count - 1];
  if (last === undefined) return foundUpTo([], end, limit);
  // Read the bodies by id. If the list were read again, new events would move the last events out of the page.
  const ids = found.slice(0, count).map((one) => one.id);
  const rows = await queries
    .selectFrom('events')
    .select(['id', 'body'])
    .where('id', 'in', ids)
    .orderBy('id', idOrder(bound))
    .execute();
  return { rows, end: count < found.length ? last.id : foundUpTo(found, end, limit).end };
}

/** On PostgreSQL, indexes contain only this many characters of a subject (`migrations/initial/webhooks.ts`). */
const INDEXED_CHARACTERS = 250;

/** The conditions for a column to have the given value. The column's index covers the first condition. */
function indexedConditions(queries: Queries, column: string, value: string): RawBuilder<unknown>[] {
  if (column === 'type' || !isPostgres(queries)) return [sql`${sql.ref(column)} = ${value}`];
  const length = sql.raw(String(INDEXED_CHARACTERS));
  const start = sql`left(${sql.ref(column)}, ${length}) = left(cast(${value} as text), ${length})`;
  // For a short value, the first condition is enough. With both, the planner would expect too few rows.
  return value.length < INDEXED_CHARACTERS ? [start] : [start, sql`${unindexed(column)} = ${value}`];
}

/** Finds the envelope that was sent with this event id, which can be the synthetic id of a replay. */
export async function findEventBody(queries: Queries, workspaceId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ body: string }>`
    select body from events where workspace_id = ${workspaceId} and id in (
      select cast(${id} as text) union all
      select original_event_id from replayed_events where id = ${id} and workspace_id = ${workspaceId}
    )`.execute(queries);
  return rows[0]?.body;
}

/** The event types that a seed has added to the catalog. */
export const listAddedEventTypes = (queries: Queries) => queries.selectFrom('event_types').selectAll().execute();
