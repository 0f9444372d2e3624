/** Rows, each with values in the order of a statement's parameters. */
export type BatchRows = readonly (readonly unknown[])[];

/**
 * The rows of a statement that runs once for each row. On SQLite, this is the fastest way, because the statement is
 * prepared once and one call runs all rows. The batch is the only parameter of the compiled query. PostgreSQL gets the
 * columns as arrays instead.
 */
export interface RowBatch {
  rows: BatchRows;
  /**
   * Statements that run after the main statement, for each row for which the main statement returned a result. A
   * follower uses the row with the same index in its own `rows`.
   */
  followers: readonly { sql: string; rows: BatchRows }[];
}

/**
 * Returns the batch that a statement has instead of parameters. A batch can be recognized even after it has been sent
 * to another thread.
 */
export function batchOf([first]: readonly unknown[]): RowBatch | undefined {
  return typeof first === 'object' && first !== null && 'followers' in first ? (first as RowBatch) : undefined;
}
