import { CompiledQuery } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import { RowBatch } from './row-batch.ts';
import type { Database } from './schema/database.ts';

/** Columns with their types on PostgreSQL, in the order of the values in a row. */
export type Columns = Readonly<Record<string, 'text' | 'integer' | 'bigint' | 'tsvector'>>;

/** Values in the order of the columns. */
export type Row = readonly (string | number | null)[];

/** Inserts many rows in one round trip. The statement's text is the same for any number of rows. */
export async function insertRows(
  queries: Queries,
  table: keyof Database,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  const names = Object.keys(columns);
  const into = `insert into ${table} (${names.join(', ')})`;
  await runForRows(queries, columns, rows, {
    sqlite: `${into} values (${names.map(() => '?').join(', ')})`,
    postgres: (given) => `${into} select * from ${given}`,
  });
}

/** Sets columns of many rows in one round trip. The values of each row end with its key. */
export async function updateRows(
  queries: Queries,
  table: keyof Database,
  { set, key }: { set: Columns; key: Columns },
  rows: readonly Row[],
): Promise<void> {
  const values = Object.keys(set);
  const keys = Object.keys(key);
  const list = (names: string[], write: (name: string) => string, separator: string) =>
    names.map(write).join(separator);
  await runForRows(queries, { ...set, ...key }, rows, {
    sqlite: `update ${table} set ${list(values, (name) => `${name} = ?`, ', ')}
      where ${list(keys, (name) => `${name} = ?`, ' and ')}`,
    postgres: (given) => `update ${table} set ${list(values, (name) => `${name} = given.${name}`, ', ')}
      from ${given} where ${list(keys, (name) => `${table}.${name} = given.${name}`, ' and ')}`,
  });
}

/** A statement for many rows, for each database. */
export interface RowsStatement {
  /** Runs once for each row, with its values bound in order. */
  sqlite: string;
  /** Runs once. Put `given` after `from`. It has the rows' columns under the name `given`. */
  postgres(given: string): string;
}

/** Runs a statement for many rows in one round trip. Returns the results of all rows. */
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

/** A statement that SQLite runs once for each row. */
export const forEachRow = <Result>(rows: readonly Row[], statement: string): CompiledQuery<Result> =>
  CompiledQuery.raw(statement, [new RowBatch(rows)]) as CompiledQuery<Result>;

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
