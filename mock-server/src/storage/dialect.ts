import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Queries } from './port.ts';

export function isPostgres(queries: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Passes rows to a statement as one parameter. Write the returned SQL after `from`. To read a column, write
 * `given.value ->> 'name'`. Cast the value of a column that contains numbers. The statement's text does not depend on
 * the number of rows. So each connection prepares the statement only once.
 */
export function givenRows(queries: Queries, rows: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return isPostgres(queries)
    ? sql`json_array_elements(cast(${json} as json)) as given(value)`
    : sql`json_each(${json}) as given`;
}

/**
 * Returns the SQL for a row's id, to sort and page a list. On PostgreSQL, the id has the collation "POSIX" in this SQL.
 * The indexes for the filters of lists have the same collation, so the planner can use these indexes (see `listedId`).
 * In the tables `delivery_queue` and `delivery_ends`, the column `delivery_id` itself has this collation.
 */
export function listId(queries: Queries, column = 'id'): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "POSIX"` : column);
}

/**
 * Returns the SQL to look up an id from a list in the index of a primary key. On PostgreSQL, this lookup needs the
 * collation "C".
 */
export function keyOfListId(queries: Queries, column: string): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "C"` : column);
}

/** A clause that locks rows on PostgreSQL. SQLite has one writer and needs no row locks. */
const locking =
  (clause: string) =>
  (queries: Queries): RawBuilder<unknown> =>
    isPostgres(queries) ? sql.raw(clause) : sql``;

/** Until the transaction ends, locks the rows that a `select` finds. An update takes the same lock. */
export const lockingRows = locking('for no key update');

/**
 * Like {@link lockingRows}, but skips a row that another open transaction has updated or locked. The lock
 * {@link lockingForUse} does not count.
 */
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
 * The clock for leases, in milliseconds. On PostgreSQL, all nodes share the database's clock. On SQLite, only one
 * process uses the database. This process uses its own monotonic clock, and clears all leases when it starts.
 */
export function leaseClock(queries: Queries): RawBuilder<number> {
  return isPostgres(queries)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${Math.round(performance.now())} as bigint)`;
}

export const isLeaseFree = (queries: Queries): RawBuilder<unknown> =>
  sql`(lease_until is null or lease_until < ${leaseClock(queries)})`;

/**
 * The `set` clause that leases a row under a new fencing token. The token is a random number, not a counter. A counter
 * would start again when a reset or a restore replaces the row. Then an old lease could be valid for the new row.
 */
export const leasing = (queries: Queries, leaseMs: number): RawBuilder<unknown> =>
  sql`lease_token = ${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)}, lease_until = ${leaseClock(queries)} + ${leaseMs}`;
