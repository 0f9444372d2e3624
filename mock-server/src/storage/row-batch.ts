/** Each row contains values in the order of a statement's parameters. */
type BatchRows = readonly (readonly unknown[])[];

/**
 * All rows for a compiled query that SQLite prepares once and runs for each row. The batch is the query's only
 * parameter. On PostgreSQL, each column is passed as one array parameter instead.
 */
export interface RowBatch {
  rows: BatchRows;
  /** If the query returns a result for a row, each follower runs once, with the follower's row at the same index. */
  followers: readonly { sql: string; rows: BatchRows }[];
}

/** Recognizes a batch by its fields, because another thread receives only a copy of the object. */
export function batchOf([first]: readonly unknown[]): RowBatch | undefined {
  return typeof first === 'object' && first !== null && 'followers' in first ? (first as RowBatch) : undefined;
}
