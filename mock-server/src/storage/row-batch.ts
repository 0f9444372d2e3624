/** Each row contains values in the order of a statement's parameters. */
export type BatchRows = readonly (readonly unknown[])[];

/**
 * The rows of a statement that SQLite prepares once and then runs for each row. The batch is the only parameter of the
 * compiled query, so one call runs all rows. PostgreSQL gets the columns as arrays instead.
 */
export interface RowBatch {
  rows: BatchRows;
  /**
   * Further statements. For each row for which the main statement returns a result, each follower runs with the row of
   * the same index in the follower's `rows`.
   */
  followers: readonly { sql: string; rows: BatchRows }[];
}

/**
 * Returns the batch that a statement's parameters contain, even if the batch comes from another thread. Returns
 * `undefined` if the parameters contain no batch.
 */
export function batchOf([first]: readonly unknown[]): RowBatch | undefined {
  return typeof first === 'object' && first !== null && 'followers' in first ? (first as RowBatch) : undefined;
}
