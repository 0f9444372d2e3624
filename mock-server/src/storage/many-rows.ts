import { CompiledQuery } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import type { RowBatch } from './row-batch.ts';
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

/** Sets columns of many rows in one round trip. The last column is the key that finds each row. */
export async function updateRows(
  queries: Queries,
  table: keyof Database,
  columns: Columns,
  rows: readonly Row[],
): Promise<void> {
  const names = Object.keys(columns);
  const key = names.at(-1);
  const set = names.slice(0, -1);
  await runForRows(queries, columns, rows, {
    sqlite: `update ${table} set ${set.map((name) => `${name} = ?`).join(', ')} where ${key} = ?`,
    postgres: (given) =>
      `update ${table} set ${set.map((name) => `${name} = given.${name}`).join(', ')} from ${given} where ${table}.${key} = given.${key}`,
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

/**
 * A statement that SQLite runs once for each row.
 *
 * @param followers - Statements that also run for each row for which this one returned something.
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
