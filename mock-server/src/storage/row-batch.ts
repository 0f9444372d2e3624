/** Rows of values in the order of a statement's parameters. */
export type BatchRows = readonly (readonly unknown[])[];

/**
 * The rows of a statement that runs once for each row. On SQLite, this is fastest: one call, prepared once. The batch
 * is the only parameter of a compiled query. PostgreSQL gets the columns as arrays instead.
 */
export interface RowBatch {
  rows: BatchRows;
  /** Run for each row for which the statement returned something, each with its own row of the same number. */
  followers: readonly { sql: string; rows: BatchRows }[];
}

/** The batch that a statement has instead of parameters. Messages between threads keep it. */
export function batchOf([first]: readonly unknown[]): RowBatch | undefined {
  return typeof first === 'object' && first !== null && 'followers' in first ? (first as RowBatch) : undefined;
}
