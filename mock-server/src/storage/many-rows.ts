import { CompiledQuery, type Insertable } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import type { RowBatch } from './row-batch.ts';
import type { Database } from './schema/database.ts';

type ColumnType = 'text' | 'integer' | 'bigint' | 'tsvector';
type Value = string | number | null;

/** For each column of a row: the column's type on PostgreSQL, and a function that reads the value from an item. */
export type ColumnsOf<Item> = Readonly<Record<string, readonly [type: ColumnType, read: (item: Item) => Value]>>;

/** With this many rows, a statement for any table has fewer parameters than SQLite allows (32,766). */
const BATCH = 500;

/** Inserts rows. Unlike in {@link insertRows}, the statement is not prepared: it depends on the number of rows. */
export async function insertAll<Table extends keyof Database>(
  queries: Queries,
  table: Table,
  rows: readonly Insertable<Database[Table]>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += BATCH)
    await queries
      .insertInto<keyof Database>(table)
      .values(rows.slice(at, at + BATCH) as never)
      .execute();
}

/** Inserts one row for each item, in one round trip, with the same statement for any number of items. */
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

/**
 * The PostgreSQL condition that a key column equals a value. With a plain `=`, PostgreSQL might read the whole index
 * if old statistics show an empty table, which is common for a queue. `any` makes PostgreSQL look up each value.
 */
export const isKey = (column: string, value: string): string => `${column} = any (array[${value}])`;

/** For each item, updates the row with the item's key. Updates all rows in one round trip. */
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
      from ${given} where ${list(key, (name) => isKey(`${table}.${name}`, `given.${name}`), ' and ')}`,
  });
}

interface RowsStatement {
  /** SQL that SQLite runs once for each row. The row's values are bound in the order of the columns. */
  sqlite: string;
  /** The statement must contain the SQL `given` after `from` or `using`. This SQL defines a table named `given`. */
  postgres(given: string): string;
}

/** Runs a statement with one row for each item, in one round trip. */
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

/** Builds a statement that SQLite runs once for each row. See {@link RowBatch} for the followers. */
export const forEachRow = <Item, Result>(
  columns: ColumnsOf<Item>,
  items: readonly Item[],
  statement: string,
  followers: RowBatch['followers'] = [],
): CompiledQuery<Result> =>
  CompiledQuery.raw(statement, [
    { rows: rowsOf(columns, items), followers } satisfies RowBatch,
  ]) as CompiledQuery<Result>;

/** Builds a statement that PostgreSQL runs once for all rows. */
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

export const marksOf = (columns: object): string => Array(Object.keys(columns).length).fill('?').join(', ');
