import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Queries } from './port.ts';

/** Whether statements run on PostgreSQL; otherwise on SQLite. */
export function isPostgres(queries: Pick<Kysely<unknown>, 'getExecutor'>): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Hands rows to a statement as one parameter, to stand behind `from`; columns are read as `given.value ->> 'name'`,
 * numbers cast. So the text of the statement is the same for each number of rows: it is built and prepared once.
 */
export function givenRows(queries: Queries, rows: readonly object[]): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  return isPostgres(queries)
    ? sql`json_array_elements(cast(${json} as json)) as given(value)`
    : sql`json_each(${json}) as given`;
}

/**
 * The id, as lists are ordered and bounded by it, so that a page is read from the index of its filter: on PostgreSQL in
 * a collation that those indexes have and the primary key has not. The order is the same, by bytes.
 */
export function listId(queries: Queries, column = 'id'): RawBuilder<string> {
  return sql.raw(listIdText(queries, column));
}

/** The same, for a statement that is a text. */
export function listIdText(queries: Queries, column: string): string {
  return isPostgres(queries) ? `${column} collate "POSIX"` : column;
}

/**
 * Locks the rows that a `select` finds until the transaction ends, as an update of them does. SQLite has one writer, and
 * needs no locks.
 */
export function lockingRows(queries: Queries): RawBuilder<unknown> {
  return isPostgres(queries) ? sql`for no key update` : sql``;
}

/** The same, passing over rows that others have locked so. */
export function skippingLockedRows(queries: Queries): RawBuilder<unknown> {
  return isPostgres(queries) ? sql`for no key update skip locked` : sql``;
}

/** Locks rows so that they can be referred to: many may at once, and meanwhile nobody removes them. */
export function lockingForUse(queries: Queries): RawBuilder<unknown> {
  return isPostgres(queries) ? sql`for key share` : sql``;
}

/** Locks rows on which nobody else has a lock of any kind, be it `for key share`, and passes over the others. */
export function lockingFreeRows(queries: Queries): RawBuilder<unknown> {
  return isPostgres(queries) ? sql`for update skip locked` : sql``;
}

/**
 * The time that leases go by, in milliseconds: the database's own clock where several nodes share it, the process's
 * monotonic clock where one process owns the file (its leases are cleared at start).
 */
export function leaseClock(queries: Queries): RawBuilder<number> {
  return isPostgres(queries)
    ? sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(${Math.round(performance.now())} as bigint)`;
}

/** Whether nobody holds the lease of a row, or no longer. */
export const isLeaseFree = (queries: Queries): RawBuilder<unknown> =>
  sql`(lease_until is null or lease_until < ${leaseClock(queries)})`;

/** What an update sets to take the lease of a row, under its next fencing token. */
export const leasing = (queries: Queries, leaseMs: number): RawBuilder<unknown> =>
  sql`lease_token = lease_token + 1, lease_until = ${leaseClock(queries)} + ${leaseMs}`;
