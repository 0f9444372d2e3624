import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { QueryResult } from 'kysely';
import { batchOf } from '../row-batch.ts';
import { BEGIN, TransactionEndedError } from './trouble.ts';

export type RunStatement = ReturnType<typeof createStatements>;

/**
 * Runs statements, and keeps them prepared.
 *
 * @param options - `inTransaction`: whether to reject statements outside a transaction. If a transaction failed to
 *   begin, or a failure has ended it, the remaining statements of the transaction must not run.
 */
export function createStatements(database: DatabaseSync, { inTransaction = false } = {}) {
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  let latestFailure: unknown;

  function prepare(sql: string) {
    const statement = database.prepare(sql);
    const all = (row: readonly unknown[]) => statement.all(...(row as SQLInputValue[]));
    const run = (row: readonly unknown[]) => statement.run(...(row as SQLInputValue[]));
    return { returnsRows: statement.columns().length > 0, all, run };
  }

  function known(sql: string) {
    // Lists of different lengths result in different SQL, so the cache could become very large.
    if (prepared.size > 1_000) prepared.clear();
    const statement = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, statement);
    return statement;
  }

  function execute({ returnsRows, all, run }: ReturnType<typeof prepare>, parameters: readonly unknown[]) {
    const batch = batchOf(parameters);
    if (!returnsRows) {
      let changes = 0;
      for (const row of batch?.rows ?? [parameters]) changes += Number(run(row).changes);
      return { rows: [], numAffectedRows: BigInt(changes) };
    }
    if (!batch) return { rows: all(parameters) };
    const followers = batch.followers.map(({ sql, rows }) => ({ follower: known(sql), rows }));
    const rows = inOneTransaction(() =>
      batch.rows.flatMap((row, index) => {
        const found = all(row);
        if (found.length > 0) for (const { follower, rows } of followers) follower.run(rows[index] ?? []);
        return found;
      }),
    );
    return { rows };
  }

  /** Without a transaction, each statement of a batch would lock the file and check the file for changes. */
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

  return (sql: string, parameters: readonly unknown[]): QueryResult<unknown> => {
    if (inTransaction && !database.isTransaction && sql !== BEGIN) throw new TransactionEndedError(latestFailure);
    const statement = known(sql);
    try {
      return execute(statement, parameters);
    } catch (error) {
      latestFailure = error;
      throw error;
    }
  };
}
