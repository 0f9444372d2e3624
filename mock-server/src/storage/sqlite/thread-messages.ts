/** A statement, as it goes to the thread. */
export interface StatementToSend {
  sql: string;
  parameters: readonly unknown[];
  /** In place of parameters, of a statement that is run for each of them. */
  rows?: readonly (readonly unknown[])[];
}

/** One statement, over one of the thread's connections. */
export interface StatementRequest {
  id: number;
  on: 'read' | 'write';
  statement: StatementToSend;
}

/** What one statement gave. */
export interface StatementAnswer {
  rows: unknown[];
  changes: number;
}

/** A whole transaction, which is rolled back where one of `guards` gives a row. */
export interface TransactionRequest {
  id: number;
  guards: readonly StatementToSend[];
  statements: readonly StatementToSend[];
}

/** A checkpoint of the write-ahead log; the last one of two is followed by a commit. */
export interface CheckpointRequest {
  id: number;
  checkpoint: 'first' | 'last';
}

export type ThreadRequest = StatementRequest | TransactionRequest | CheckpointRequest;

/** What the thread answers; of a transaction, whether it took place. */
export type ThreadAnswer = { id: number } & (
  | { result: StatementAnswer | boolean }
  | { error: { message: string; code: string | undefined; errcode: number | undefined } }
);
