import { CompiledQuery } from 'kysely';
import { isPostgres } from './dialect.ts';
import type { Queries } from './port.ts';
import { RowBatch } from './row-batch.ts';
import type { Database } from './schema/database.ts';

/** A column and its type on PostgreSQL, in the order in which rows give their values. */
export type Columns = Readonly<Record<string, 'text' | 'integer' | 'bigint' | 'tsvector'>>;

/** Values in the order of the columns. */
export type Row = readonly (string | number | null)[];

/** Inserts many rows in one exchange; the text of the statement is the same for each number of them. */
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

/** Sets columns of many rows, each found by its key, which is the last of the columns, in one exchange. */
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

/** What is run for many rows, on each database. */
export interface RowsStatement {
  /** Run once for each row, its values bound in their order. */
  sqlite: string;
  /** Run once; `given` stands behind `from` and has the columns of the rows under the name `given`. */
  postgres(given: string): string;
}

/** Runs a statement for many rows in one exchange, and gives what it returns for all of them. */
export async function runForRows<Result>(
  queries: Queries,
  columns: Columns,
  rows: readonly Row[],
  statement: RowsStatement,
): Promise<Result[]> {
  if (rows.length === 0) return [];
  if (!isPostgres(queries)) {
    return (await queries.executeQuery<Result>(CompiledQuery.raw(statement.sqlite, [new RowBatch(rows)]))).rows;
  }
  const names = Object.keys(columns);
  const arrays = Object.values(columns).map((type, index) => `cast($${index + 1} as ${type}[])`);
  const given = `unnest(${arrays.join(', ')}) as given(${names.join(', ')})`;
  const values = names.map((_, column) => rows.map((row) => row[column] ?? null));
  return (await queries.executeQuery<Result>(CompiledQuery.raw(statement.postgres(given), values))).rows;
}
