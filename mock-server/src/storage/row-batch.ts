/** Each row contains values in the order of a statement's parameters. */
export type BatchRows = readonly (readonly unknown[])[];

/**
 * The rows for a statement. SQLite prepares the statement once, and then runs it for each row. The batch is the only
 * parameter of the compiled query, so one call runs all rows. PostgreSQL gets the columns as arrays instead.
 */
export interface RowBatch {
  rows: BatchRows;
  /**
   * Further statements. If the main statement returns a result for a row, each follower also runs once. The follower's
   * parameters are in its own `rows`, at the same index as the row of the main statement.
   */
  followers: readonly { sql: string; rows: BatchRows }[];
}

/**
 * Returns the batch in a statement's parameters, or `undefined` if there is none. Recognizes a batch by its fields,
 * because another thread receives a copy.
 */
export function batchOf([first]: readonly unknown[]): RowBatch | undefined {
  return typeof first === 'object' && first !== null && 'followers' in first ? (first as RowBatch) : undefined;
}
