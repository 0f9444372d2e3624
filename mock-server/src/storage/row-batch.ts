/** Each row contains values in the order of a statement's parameters. */
export type BatchRows = readonly (readonly unknown[])[];

/**
 * The rows of a statement that SQLite runs once for each row. A batch is fast, because the statement is prepared once,
 * and one call runs the statement for all rows. The batch is the only parameter of the compiled query. On PostgreSQL, a
 * statement for many rows gets its columns as arrays instead.
 */
export interface RowBatch {
  rows: BatchRows;
  /**
   * If the main statement returns a result for a row, these statements (followers) then run. Each follower uses the row
   * with the same index in its own `rows`.
   */
  followers: readonly { sql: string; rows: BatchRows }[];
}

/**
 * Returns the batch in a statement's parameters, or `undefined` if the statement has plain parameters. The function
 * also recognizes a batch that was sent from another thread.
 */
export function batchOf([first]: readonly unknown[]): RowBatch | undefined {
  return typeof first === 'object' && first !== null && 'followers' in first ? (first as RowBatch) : undefined;
}
