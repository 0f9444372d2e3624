import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { DatabaseKind, Queries } from './port.ts';

/** Whether statements run on PostgreSQL. If not, they run on SQLite. */
export function isPostgres(queries: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

export const databaseOf = (queries: Queries): DatabaseKind => (isPostgres(queries) ? 'postgres' : 'sqlite');

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
 * The id of a row, as lists sort and page by it. It makes the database read a page from the index of its filter: on
 * PostgreSQL, those indexes have a collation that the primary key does not have. Both collations sort the same way: by
 * bytes. The tables `delivery_queue` and `delivery_ends` store delivery ids with that collation.
 */
export function listId(queries: Queries, column = 'id'): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "POSIX"` : column);
}

/** An id from a list, with the collation of its table's primary key. */
export function keyOfListId(queries: Queries, column: string): RawBuilder<string> {
  return sql.raw(isPostgres(queries) ? `${column} collate "C"` : column);
}

/** A clause that locks rows on PostgreSQL. SQLite has one writer and needs no row locks. */
const locking =
  (clause: string) =>
  (queries: Queries): RawBuilder<unknown> =>
    isPostgres(queries) ? sql.raw(clause) : sql``;

/** Locks the rows that a `select` finds until the transaction ends, as an update does. */
export const lockingRows = locking('for no key update');

/** Like {@link lockingRows}, but skips rows that have such a lock. */
export const skippingLockedRows = locking('for no key update skip locked');

/**
 * Locks rows that the transaction refers to. Several transactions can hold this lock. Nobody can delete the rows in the
 * meantime.
 */
export const lockingForUse = locking('for key share');

/** Locks rows, and waits for transactions that hold a lock of any kind on them, even one from {@link lockingForUse}. */
export const lockingAlone = locking('for update');

/** Locks rows that have no lock of any kind, not even `for key share`. Skips the others. */
export const lockingFreeRows = locking('for update skip locked');

/**
 * The clock for leases, in milliseconds. On PostgreSQL, several nodes share the database's clock. On SQLite, one
 * process owns the file and uses its monotonic clock. That process clears all leases when it starts.
 */
export function leaseClock(queries: Queries): RawBuilder<number> {
  return isPostgres(queries)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${Math.round(performance.now())} as bigint)`;
}

/** Whether a row has no lease or an expired one. */
export const isLeaseFree = (queries: Queries): RawBuilder<unknown> =>
  sql`(lease_until is null or lease_until < ${leaseClock(queries)})`;

/** The `set` clause that takes the lease of a row, with its next fencing token. */
export const leasing = (queries: Queries, leaseMs: number): RawBuilder<unknown> =>
  sql`lease_token = lease_token + 1, lease_until = ${leaseClock(queries)} + ${leaseMs}`;
