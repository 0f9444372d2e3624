import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Queries } from './port.ts';

/** Whether statements run on PostgreSQL rather than SQLite. */
export function isPostgres(queries: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Passes rows to a statement as one parameter. Write the returned SQL after `from`. To read a column, write
 * `given.value ->> 'name'`, and cast numbers. The statement's text is the same for any number of rows, so the statement
 * is built and prepared once.
 */
export function givenRows(queries: Queries, rows: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return isPostgres(queries)
    ? sql`json_array_elements(cast(${json} as json)) as given(value)`
    : sql`json_each(${json}) as given`;
}

/**
 * Returns the SQL for a row's id, for sorting and paging a list. On PostgreSQL, the expression has the collation
 * "POSIX". Only the indexes for the filters of lists have this collation, so PostgreSQL reads a page from one of these
 * indexes. The primary key has the collation "C". Both collations sort by bytes. In the tables `delivery_queue` and
 * `delivery_ends`, the column `delivery_id` itself has the collation "POSIX".
 */
export function listId(queries: Queries, column = 'id'): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "POSIX"` : column);
}

/** Returns the SQL for an id that was read from a list, with the collation of the table's primary key. */
export function keyOfListId(queries: Queries, column: string): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "C"` : column);
}

/** A clause that locks rows on PostgreSQL. SQLite has one writer and needs no row locks. */
const locking =
  (clause: string) =>
  (queries: Queries): RawBuilder<unknown> =>
    isPostgres(queries) ? sql.raw(clause) : sql``;

/** Locks the rows that a `select` finds until the transaction ends. An update takes the same lock. */
export const lockingRows = locking('for no key update');

/**
 * Like {@link lockingRows}, but skips rows that another transaction has locked with {@link lockingRows} or an update.
 */
export const skippingLockedRows = locking('for no key update skip locked');

/**
 * Locks rows that the transaction refers to. Nobody can delete these rows before the transaction ends. Several
 * transactions can hold this lock on the same row.
 */
export const lockingForUse = locking('for key share');

/** Locks rows. First waits for all transactions that hold any lock on the rows, even {@link lockingForUse}. */
export const lockingAlone = locking('for update');

/** Locks rows. Skips rows on which another transaction holds any lock, even {@link lockingForUse}. */
export const lockingFreeRows = locking('for update skip locked');

/**
 * The clock for leases, in milliseconds. On PostgreSQL, several nodes share the database's clock. On SQLite, one
 * process owns the file. That process uses its own monotonic clock, and clears all leases when it starts.
 */
export function leaseClock(queries: Queries): RawBuilder<number> {
  return isPostgres(queries)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${Math.round(performance.now())} as bigint)`;
}

/** Whether a row has no lease, or a lease that has expired. */
export const isLeaseFree = (queries: Queries): RawBuilder<unknown> =>
  sql`(lease_until is null or lease_until < ${leaseClock(queries)})`;

/**
 * The `set` clause that leases a row, and gives the row a new fencing token. The token is random, because a counter
 * would begin again when a reset or a restore replaces the row, and an old lease could then be valid for the new row.
 */
export const leasing = (queries: Queries, leaseMs: number): RawBuilder<unknown> =>
  sql`lease_token = ${Math.floor(Math.random() * Number.MAX_SAFE_INTEGER)}, lease_until = ${leaseClock(queries)} + ${leaseMs}`;
