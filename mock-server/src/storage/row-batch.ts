/**
 * The rows of a statement that is run once for each of them: SQLite runs it so fastest, in one call, prepared once.
 * It stands as the only parameter of a compiled query. PostgreSQL is given the columns as arrays instead.
 */
export class RowBatch {
  readonly rows: readonly (readonly unknown[])[];

  constructor(rows: readonly (readonly unknown[])[]) {
    this.rows = rows;
  }
}
