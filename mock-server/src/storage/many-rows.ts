import { CompiledQuery } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import type { RowBatch } from './row-batch.ts';
import type { Database } from './schema/database.ts';

type ColumnType = 'text' | 'integer' | 'bigint' | 'tsvector';
type Value = string | number | null;

/**
 * Describes how items become rows: for each column, its type on PostgreSQL and a function that reads its value from an
 * item.
 */
export type ColumnsOf<Item> = Readonly<Record<string, readonly [type: ColumnType, read: (item: Item) => Value]>>;

/** Inserts a row for each item in one round trip. The statement's text is the same for any number of rows. */
export async function insertRows<Item>(
  queries: Queries,
  table: keyof Database,
  items: readonly Item[],
  columns: ColumnsOf<Item>,
): Promise<void> {
  const into = `insert into ${table} (${namesOf(columns)})`;
  await runForRows(queries, columns, items, {
    sqlite: `${into} values (${marksOf(columns)})`,
    postgres: (given) => `${into} select * from ${given}`,
  });
}

/** For each item, sets columns in the row that has the item's key. All updates run in one round trip. */
export async function updateRows<Item>(
  queries: Queries,
  table: keyof Database,
  items: readonly Item[],
  { set, key }: { set: ColumnsOf<Item>; key: ColumnsOf<Item> },
): Promise<void> {
  const list = (names: object, write: (name: string) => string, separator: string) =>
    Object.keys(names).map(write).join(separator);
  await runForRows(queries, { ...set, ...key }, items, {
    sqlite: `update ${table} set ${list(set, (name) => `${name} = ?`, ', ')}
      where ${list(key, (name) => `${name} = ?`, ' and ')}`,
    postgres: (given) => `update ${table} set ${list(set, (name) => `${name} = given.${name}`, ', ')}
      from ${given} where ${list(key, (name) => `${table}.${name} = given.${name}`, ' and ')}`,
  });
}

interface RowsStatement {
  /** The statement for SQLite, which runs once for each row, with the row's values bound in order. */
  sqlite: string;
  /**
   * The statement for PostgreSQL, which runs once for all rows. Put the parameter `given` after `from`, so that the
   * statement can read the rows from a table named `given`.
   */
  postgres(given: string): string;
}

/** Runs a statement with a row for each item in one round trip, and returns the results for all rows. */
export async function runForRows<Item, Result = never>(
  queries: Queries,
  columns: ColumnsOf<Item>,
  items: readonly Item[],
  statement: RowsStatement,
): Promise<Result[]> {
  if (items.length === 0) return [];
  const compiled = isPostgres(queries)
    ? forAllRows<Item, Result>(columns, items, statement.postgres)
    : forEachRow<Item, Result>(columns, items, statement.sqlite);
  return (await queries.executeQuery(compiled)).rows;
}

/**
 * A statement that SQLite runs once for each row.
 *
 * @param followers - Statements that run after `statement` for each row for which `statement` returned a result.
 */
export const forEachRow = <Item, Result>(
  columns: ColumnsOf<Item>,
  items: readonly Item[],
  statement: string,
  followers: RowBatch['followers'] = [],
): CompiledQuery<Result> =>
  CompiledQuery.raw(statement, [
    { rows: rowsOf(columns, items), followers } satisfies RowBatch,
  ]) as CompiledQuery<Result>;

/** A statement that PostgreSQL runs once for all rows. */
export function forAllRows<Item, Result>(
  columns: ColumnsOf<Item>,
  items: readonly Item[],
  statement: RowsStatement['postgres'],
): CompiledQuery<Result> {
  const arrays = Object.values(columns).map(([type], index) => `cast($${index + 1} as ${type}[])`);
  const given = `unnest(${arrays.join(', ')}) as given(${namesOf(columns)})`;
  const values = Object.values(columns).map(([, read]) => items.map(read));
  return CompiledQuery.raw(statement(given), values) as CompiledQuery<Result>;
}

export function rowsOf<Item>(columns: ColumnsOf<Item>, items: readonly Item[]): Value[][] {
  const readers = Object.values(columns).map(([, read]) => read);
  return items.map((item) => readers.map((read) => read(item)));
}

export const namesOf = (columns: object): string => Object.keys(columns).join(', ');

/** A question mark for each column, for the values of a row on SQLite. */
export const marksOf = (columns: object): string => Array(Object.keys(columns).length).fill('?').join(', ');
