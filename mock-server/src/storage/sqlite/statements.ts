import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SqliteDatabase } from 'kysely';
import { batchOf } from '../row-batch.ts';

export interface StatementResult {
  rows: unknown[];
  changes: number;
}

export function runStatement(statements: SqliteDatabase, sql: string, parameters: readonly unknown[]): StatementResult {
  const statement = statements.prepare(sql);
  if (statement.reader) return { rows: statement.all(parameters), changes: 0 };
  return { rows: [], changes: Number(statement.run(parameters).changes) };
}

/** Throws if a statement must not run. `latestFailure` is the error of the latest statement that failed. */
export type CheckStatement = (sql: string, latestFailure: unknown) => void;

/** Creates a cache of a connection's prepared statements. `check` runs before each statement. */
export function createStatements(database: DatabaseSync, check: CheckStatement = () => {}): SqliteDatabase {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  let latestFailure: unknown;

  function prepare(sql: string) {
    const statement = database.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: remembering((parameters: readonly unknown[]) => {
        const batch = batchOf(parameters);
        if (!batch) return statement.all(...(parameters as SQLInputValue[]));
        const followers = batch.followers.map(({ sql, rows }) => ({ statement: known(sql), rows }));
        return inOneTransaction(() =>
          batch.rows.flatMap((row, index) => {
            const found = statement.all(...(row as SQLInputValue[]));
            if (found.length > 0) for (const { statement, rows } of followers) statement.run(rows[index] ?? []);
            return found;
          }),
        );
      }),
      run: remembering((parameters: readonly unknown[]) => {
        const batch = batchOf(parameters);
        if (!batch) return statement.run(...(parameters as SQLInputValue[]));
        let changes = 0;
        for (const row of batch.rows) changes += Number(statement.run(...(row as SQLInputValue[])).changes);
        return { changes, lastInsertRowid: 0 };
      }),
      iterate: (parameters: readonly unknown[]) => statement.iterate(...(parameters as SQLInputValue[])),
    };
  }

  function remembering<Result>(act: (parameters: readonly unknown[]) => Result): typeof act {
    return (parameters) => {
      try {
        return act(parameters);
      } catch (error) {
        latestFailure = error;
        throw error;
      }
    };
  }

  /**
   * Runs `work` in the open transaction, or in a new transaction. Without a transaction, each statement of a batch
   * would lock the file and check the file for changes.
   */
  function inOneTransaction<Result>(work: () => Result): Result {
    if (database.isTransaction) return work();
    database.exec('BEGIN');
    try {
      return work();
    } finally {
      // If a failure such as a full disk has ended the transaction, there is nothing to commit.
      if (database.isTransaction) database.exec('COMMIT');
    }
  }

  function known(sql: string) {
    // Lists of different lengths result in different SQL, so the cache could become very large.
    if (prepared.size > 1_000) prepared.clear();
    const statement = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }

  return {
    prepare(sql) {
      check(sql, latestFailure);
      return known(sql);
    },
    close: () => database.close(),
  };
}
