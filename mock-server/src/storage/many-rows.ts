import { CompiledQuery } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import type { RowBatch } from './row-batch.ts';
import type { Database } from './schema/database.ts';

type ColumnType = 'text' | 'integer' | 'bigint' | 'tsvector';
type Value = string | number | null;

/** Columns with their types on PostgreSQL, in the order of the values in a row. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** The values of a row, in the order of the columns. */
export type Row = readonly Value[];

/** For each column, its type on PostgreSQL and a function that reads its value from an item. */
export type ColumnsOf<Item> = Readonly<Record<string, readonly [type: ColumnType, read: (item: Item) => Value]>>;

/** Inserts a row for each item in one round trip. The statement's text is the same for any number of rows. */
export async function insertRows<Item>(
  queries: Queries,
  table: keyof Database,
  items: readonly Item[],
  columns: ColumnsOf<Item>,
): Promise<void> {
  const names = Object.keys(columns);
  const into = `insert into ${table} (${names.join(', ')})`;
  await runForRows(queries, typesOf(columns), rowsOf(items, columns), {
    sqlite: `${into} values (${names.map(() => '?').join(', ')})`,
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
  const columns = { ...set, ...key };
  const list = (names: object, write: (name: string) => string, separator: string) =>
    Object.keys(names).map(write).join(separator);
  await runForRows(queries, typesOf(columns), rowsOf(items, columns), {
    sqlite: `update ${table} set ${list(set, (name) => `${name} = ?`, ', ')}
      where ${list(key, (name) => `${name} = ?`, ' and ')}`,
    postgres: (given) => `update ${table} set ${list(set, (name) => `${name} = given.${name}`, ', ')}
      from ${given} where ${list(key, (name) => `${table}.${name} = given.${name}`, ' and ')}`,
  });
}

const typesOf = <Item>(columns: ColumnsOf<Item>): Columns =>
  Object.fromEntries(Object.entries(columns).map(([name, [type]]) => [name, type]));

function rowsOf<Item>(items: readonly Item[], columns: ColumnsOf<Item>): Row[] {
  const readers = Object.values(columns).map(([, read]) => read);
  return items.map((item) => readers.map((read) => read(item)));
}

/** A statement for many rows, in the SQL of each database. */
export interface RowsStatement {
  /** The statement for SQLite, which runs once for each row, with the row's values bound in order. */
  sqlite: string;
  /**
   * The statement for PostgreSQL, which runs once for all rows. Put the parameter `given` after `from`, so that the
   * statement can read the rows from a table named `given`.
   */
  postgres(given: string): string;
}

/** Runs a statement for many rows in one round trip, and returns the results for all rows. */
export async function runForRows<Result>(
  queries: Queries,
  columns: Columns,
  rows: readonly Row[],
  statement: RowsStatement,
): Promise<Result[]> {
  if (rows.length === 0) return [];
  const compiled = isPostgres(queries)
    ? forAllRows<Result>(columns, rows, statement.postgres)
    : forEachRow<Result>(rows, statement.sqlite);
  return (await queries.executeQuery(compiled)).rows;
}

/**
 * A statement that SQLite runs once for each row.
 *
 * @param followers - Statements that run after `statement` for each row for which `statement` returned a result.
 */
export const forEachRow = <Result>(
  rows: readonly Row[],
  statement: string,
  followers: RowBatch['followers'] = [],
): CompiledQuery<Result> =>
  CompiledQuery.raw(statement, [{ rows, followers } satisfies RowBatch]) as CompiledQuery<Result>;

/** A statement that PostgreSQL runs once for all rows. */
export function forAllRows<Result>(
  columns: Columns,
  rows: readonly Row[],
  statement: RowsStatement['postgres'],
): CompiledQuery<Result> {
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map((type, index) => `cast($${index + 1} as ${type}[])`);
  const given = `unnest(${arrays.join(', ')}) as given(${names.join(', ')})`;
  const values = names.map((_, column) => rows.map((row) => row[column] ?? null));
  return CompiledQuery.raw(statement(given), values) as CompiledQuery<Result>;
}
