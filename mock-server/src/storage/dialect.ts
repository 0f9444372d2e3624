import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Queries } from './port.ts';

export function isPostgres(queries: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Passes rows to a statement as one parameter, so each connection prepares the statement only once. Write the returned
 * SQL after `from`. To read a column, write `given.value ->> 'name'`, and cast numbers.
 */
export function givenRows(queries: Queries, rows: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return isPostgres(queries)
    ? sql`json_array_elements(cast(${json} as json)) as given(value)`
    : sql`json_each(${json}) as given`;
}

/** The SQL for a list of ids, for use after `in`. See {@link givenRows}. */
export function givenIds(queries: Queries, ids: readonly string[]): RawBuilder<unknown> {
  const rows = ids.map((id) => ({ id }));
  return sql`(select given.value ->> 'id' from ${givenRows(queries, rows)})`;
}

/**
 * The SQL for a row's id in a filtered list, with the collation of the list's indexes (see `0001-schema.ts`). The
 * column `delivery_id` of `delivery_queue` and `delivery_ends` already has this collation.
 */
export function listId(queries: Queries, column = 'id'): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "POSIX"` : column);
}

/** The SQL for an id from a list. Its collation is "C", like the primary keys', so a lookup can use a primary key. */
export function keyOfListId(queries: Queries, column: string): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "C"` : column);
}

/** Returns a clause that locks rows on PostgreSQL. SQLite has one writer and needs no row locks. */
const locking =
  (clause: string) =>
  (queries: Queries): RawBuilder<unknown> =>
    isPostgres(queries) ? sql.raw(clause) : sql``;

/** Until the transaction ends, locks the rows that a `select` finds. An `update` takes the same lock. */
export const lockingRows = locking('for no key update');

/** Like {@link lockingRows}, but skips rows on which another transaction has any lock except {@link lockingForUse}. */
export const skippingLockedRows = locking('for no key update skip locked');

/** Prevents the deletion of rows that the transaction refers to. Several transactions can hold this lock on a row. */
export const lockingForUse = locking('for key share');

/** Prevents any change to rows. Several transactions can hold this lock on a row. */
export const lockingAgainstChanges = locking('for share');

/** Locks rows. First waits for all transactions that hold any lock on the rows, even {@link lockingForUse}. */
export const lockingAlone = locking('for update');

/** Locks rows. Skips rows on which another transaction holds any lock, even {@link lockingForUse}. */
export const lockingFreeRows = locking('for update skip locked');

/**
 * The SQL for the current time of the lease clock, in milliseconds. On PostgreSQL, all nodes share the database's
 * clock. On SQLite, the server uses the monotonic clock of its process, so it clears all leases when it starts.
 */
export function leaseClock(queries: Queries): RawBuilder<number> {
  return isPostgres(queries)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${Math.round(performance.now())} as bigint)`;
}

export const isLeaseFree = (queries: Queries): RawBuilder<unknown> =>
  sql`(lease_until is null or lease_until < ${leaseClock(queries)})`;

/**
 * Leases a row under a new fencing token. The token is random, because a counter would start again after a reset, and
 * then an old lease could be valid for a new row.
 */
export const leasing = (queries: Queries, leaseMs: number): RawBuilder<unknown> =>
  sql`lease_token = ${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)}, lease_until = ${leaseClock(queries)} + ${leaseMs}`;
