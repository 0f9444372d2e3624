/**
 * The rows of a statement that runs once for each row. On SQLite, this is fastest: one call, prepared once. The batch
 * is the only parameter of a compiled query. PostgreSQL gets the columns as arrays instead.
 */
export class RowBatch {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}
