import type { ListEventsQuery, ListWebhookDeliveriesQuery } from '@svc/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Cursor } from '../../src/domain/page-token.ts';
import { isPostgres } from '../../src/storage/dialect.ts';
import { type Bound, type Found, keysetPage } from '../../src/storage/keyset.ts';
import type { Queries } from '../../src/storage/port.ts';
import { listDeliveries } from '../../src/storage/statements/deliveries/list.ts';
import { listEvents } from '../../src/storage/statements/events.ts';
import { STRETCH } from '../../src/storage/stretch.ts';
import { createWorld } from '../support/delivery/world.ts';

const ROWS = 2.5 * STRETCH;
const WORKSPACE = 'wsp_long';
const LIMIT = 10;

/** The row with the number `n`, as the statements below store it. Every second one is a success of the type `even`. */
const rowAt = (n: number) => ({
  id: `whd_${String(n).padStart(26, '0')}`,
  eventId: `evt_${String(n).padStart(26, '0')}`,
  type: n % 1000 === 1 ? 'rare' : n % 2 === 0 ? 'even' : 'odd',
  status: n % 2 === 0 ? 'success' : n % 3 === 0 ? 'pending' : 'failed',
  endpointId: n % 2 === 0 ? 'whe_even' : 'whe_odd',
});
const allRows = Array.from({ length: ROWS }, (_, index) => rowAt(ROWS - index));

const cleanup = new AsyncDisposableStack();
let world: Awaited<ReturnType<typeof createWorld>>;

beforeAll(async () => {
  world = await createWorld();
  cleanup.use(world.storage);
  const { storage } = world;
  await storage.write(async (queries) => {
    for (let from = 0; from < allRows.length; from += 1000) await insertRows(queries, allRows.slice(from, from + 1000));
    // The statistics of a reused database may be from when its tables were empty.
    if (isPostgres(queries)) await sql`analyze events, deliveries, delivery_queue, delivery_ends`.execute(queries);
  });
});
afterAll(() => cleanup.disposeAsync());

async function insertRows(queries: Queries, rows: readonly ReturnType<typeof rowAt>[]): Promise<void> {
  const in_ = { workspace_id: WORKSPACE };
  await queries
    .insertInto('events')
    .values(
      rows.map(({ eventId, type, status }) => ({
        ...in_,
        id: eventId,
        type,
        subject_type: status,
        subject_id: null,
        body: '{}',
        created_at: 0,
        traceparent: null,
      })),
    )
    .execute();
  await queries
    .insertInto('deliveries')
    .values(
      rows.map(({ id, eventId, type, endpointId }) => ({
        ...in_,
        id,
        endpoint_id: endpointId,
        event_id: eventId,
        payload_event_id: eventId,
        event_type: type,
        created_at: 0,
      })),
    )
    .execute();
  await queries
    .insertInto('delivery_queue')
    .values(
      rows
        .filter(({ status }) => status === 'pending')
        .map(({ id, eventId, endpointId }) => ({
          ...in_,
          endpoint_id: endpointId,
          retry: 0,
          due_at: 9e15,
          delivery_id: id,
          payload_event_id: eventId,
          attempt: 0,
          response_status: null,
          response_time_ms: null,
          error: null,
        })),
    )
    .execute();
  await queries
    .insertInto('delivery_ends')
    .values(
      rows
        .filter(({ status }) => status !== 'pending')
        .map(({ id, status, endpointId }) => ({
          ...in_,
          status,
          delivery_id: id,
          endpoint_id: endpointId,
          attempt: 1,
          ended_at: 0,
          response_status: null,
          response_time_ms: null,
          error: null,
        })),
    )
    .execute();
}

type Select = (bound: Bound, limit: number) => Promise<Found<{ id: string }>>;

const deliveries =
  (filter: ListWebhookDeliveriesQuery): Select =>
  (bound, limit) =>
    world.storage.read((queries) => listDeliveries(queries, { workspaceId: WORKSPACE, ...filter }, bound, limit));

const events =
  (filter: ListEventsQuery): Select =>
  (bound, limit) =>
    world.storage.read((queries) => listEvents(queries, { workspaceId: WORKSPACE, ...filter }, bound, limit));

/** Follows the pages from one end of a list to the other, and returns their ids and the number of pages. */
async function walk(select: Select, direction: Cursor['direction'], limit = LIMIT) {
  let cursor: Cursor | undefined = direction === 'next' ? undefined : { direction, key: '', inclusive: true };
  const ids: string[] = [];
  for (let pages = 1; ; pages++) {
    const page: Awaited<ReturnType<typeof keysetPage<{ id: string }>>> = await keysetPage(
      select,
      ({ id }) => id,
      cursor,
      limit,
    );
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    ids.push(...(direction === 'next' ? page.rows : page.rows.toReversed()).map(({ id }) => id));
    if (page[direction] === null) return { ids, pages };
    cursor = page[direction];
  }
}

const matching = (matches: (row: ReturnType<typeof rowAt>) => boolean) => allRows.filter(matches);

describe('A list with several filters', () => {
  test.each<[string, ListWebhookDeliveriesQuery, (row: ReturnType<typeof rowAt>) => boolean]>([
    [
      'a status and a rare type',
      { status: 'failed', eventType: 'rare' },
      (row) => row.status === 'failed' && row.type === 'rare',
    ],
    [
      'a waiting status and a rare type',
      { status: 'pending', eventType: 'rare' },
      (row) => row.status === 'pending' && row.type === 'rare',
    ],
    ['an endpoint and a rare type', { endpointId: 'whe_odd', eventType: 'rare' }, (row) => row.type === 'rare'],
    [
      'three filters',
      { endpointId: 'whe_odd', eventType: 'rare', status: 'pending' },
      (row) => row.type === 'rare' && row.status === 'pending',
    ],
    ['a status of the other type', { status: 'success', eventType: 'odd' }, () => false],
    ['an endpoint of the other type', { endpointId: 'whe_even', eventType: 'odd' }, () => false],
  ])('has the deliveries that match %s, and no other', async (_name, filter, matches) => {
    const expected = matching(matches).map(({ id }) => id);
    for (const direction of ['next', 'previous'] as const) {
      const { ids, pages } = await walk(deliveries(filter), direction);
      expect(ids).toEqual(direction === 'next' ? expected : expected.toReversed());
      expect(pages).toBeLessThanOrEqual(1 + ROWS / STRETCH);
    }
  });

  test.each<[string, ListEventsQuery, (row: ReturnType<typeof rowAt>) => boolean]>([
    [
      'a rare type and a subject type',
      { type: 'rare', subjectType: 'failed' },
      (row) => row.type === 'rare' && row.status === 'failed',
    ],
    ['a subject type of another type', { type: 'odd', subjectType: 'success' }, () => false],
    ['a subject that does not exist', { type: 'odd', subjectId: 'nobody' }, () => false],
  ])('has the events that match %s, and no other', async (_name, filter, matches) => {
    const expected = matching(matches).map(({ eventId }) => eventId);
    for (const direction of ['next', 'previous'] as const) {
      const { ids, pages } = await walk(events(filter), direction);
      expect(ids).toEqual(direction === 'next' ? expected : expected.toReversed());
      expect(pages).toBeLessThanOrEqual(1 + ROWS / STRETCH);
    }
  });

  test('reads the index that needs fewer rows: one page finds all rare rows', async () => {
    expect((await walk(deliveries({ status: 'failed', eventType: 'rare' }), 'next')).pages).toBe(1);
    expect((await walk(events({ type: 'odd', subjectId: 'nobody' }), 'next')).pages).toBe(1);
  });

  test('reads one stretch for a page, so a page may be empty although the list goes on', async () => {
    const page = await keysetPage(
      deliveries({ status: 'success', eventType: 'odd' }),
      ({ id }) => id,
      undefined,
      LIMIT,
    );
    expect(page).toEqual({
      rows: [],
      next: { direction: 'next', key: matching(({ type }) => type === 'odd')[STRETCH - 1]?.id, inclusive: false },
      previous: null,
    });
  });

  test('fills its pages while enough rows match', async () => {
    const page = await keysetPage(
      deliveries({ status: 'success', eventType: 'even' }),
      ({ id }) => id,
      undefined,
      LIMIT,
    );
    expect(page.rows).toHaveLength(LIMIT);
  });
});

test('a list with one filter never reads less than a page', async () => {
  for (const filter of [{}, { status: 'success' }, { eventType: 'rare' }, { endpointId: 'whe_odd' }] as const) {
    const { rows, end } = await deliveries(filter)({ side: 'after', key: undefined, inclusive: false }, 5);
    expect(rows).toHaveLength(5);
    expect(end).toBeUndefined();
  }
});

test('a page of large events ends at 1 MiB, and the pages together have every event', async () => {
  // With é, the number of characters is not the number of bytes.
  const body = JSON.stringify('é'.repeat(32_000));
  const large = Array.from({ length: 40 }, (_, index) => ({
    id: `evt_${String(40 - index).padStart(26, '0')}_large`,
    workspace_id: 'wsp_large',
    type: 'large',
    subject_type: null,
    subject_id: null,
    body,
    created_at: 0,
    traceparent: null,
  }));
  await world.storage.write((queries) => queries.insertInto('events').values(large).execute());
  const select: Select = (bound, limit) =>
    world.storage.read((queries) => listEvents(queries, { workspaceId: 'wsp_large' }, bound, limit));

  const first = await keysetPage(select, ({ id }) => id, undefined, 100);
  expect(first.rows).toHaveLength(Math.ceil(2 ** 20 / Buffer.byteLength(body)));
  const ids = large.map(({ id }) => id);
  expect(await walk(select, 'next', 100)).toEqual({ ids, pages: 3 });
  expect(await walk(select, 'previous', 100)).toEqual({ ids: ids.toReversed(), pages: 3 });
  // A page that reaches its limit of rows first is an ordinary full page.
  expect(await walk(select, 'next', 10)).toEqual({ ids, pages: 4 });
});
