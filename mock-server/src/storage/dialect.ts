import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Queries } from './port.ts';

/** Whether statements run on PostgreSQL. Otherwise, they run on SQLite. */
export function isPostgres(queries: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Passes rows to a statement as one parameter, for use after `from`. Read columns as `given.value ->> 'name'` and cast
 * numbers. The statement's text is the same for any number of rows, so it is built and prepared once.
 */
export function givenRows(queries: Queries, rows: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return isPostgres(queries)
    ? sql`json_array_elements(cast(${json} as json)) as given(value)`
    : sql`json_each(${json}) as given`;
}

/**
 * Returns the SQL for a row's id, for sorting and paging a list. With this expression, PostgreSQL reads a page from the
 * index of the list's filter, because only those indexes have this collation. The primary key has another collation.
 * Both collations sort the same way: by bytes. In the tables `delivery_queue` and `delivery_ends`, the column
 * `delivery_id` has the collation of the indexes.
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

/** Like {@link lockingRows}, but skips rows that are already locked in this way. */
export const skippingLockedRows = locking('for no key update skip locked');

/**
 * Locks rows that the transaction refers to, so that nobody can delete them before the transaction ends. Several
 * transactions can hold this lock on the same row.
 */
export const lockingForUse = locking('for key share');

/** Locks rows, and waits for transactions that hold any kind of lock on the rows, even {@link lockingForUse}. */
export const lockingAlone = locking('for update');

/** Locks rows, and skips rows that have any kind of lock, even `for key share`. */
export const lockingFreeRows = locking('for update skip locked');

/**
 * The clock for leases, in milliseconds. On PostgreSQL, several nodes share the database's clock. On SQLite, one
 * process owns the file. The process uses its monotonic clock, and clears all leases when it starts.
 */
export function leaseClock(queries: Queries): RawBuilder<number> {
  return isPostgres(queries)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${Math.round(performance.now())} as bigint)`;
}

/** Whether a row has no lease, or a lease that has expired. */
export const isLeaseFree = (queries: Queries): RawBuilder<unknown> =>
  sql`(lease_until is null or lease_until < ${leaseClock(queries)})`;

/** The `set` clause that leases a row and increases the row's fencing token. */
export const leasing = (queries: Queries, leaseMs: number): RawBuilder<unknown> =>
  sql`lease_token = lease_token + 1, lease_until = ${leaseClock(queries)} + ${leaseMs}`;
