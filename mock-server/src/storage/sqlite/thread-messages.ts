import type { StatementResult } from './statements.ts';

/** A statement, as sent to the thread. */
export interface StatementToSend {
  sql: string;
  parameters: readonly unknown[];
}

/** One statement on one of the thread's connections. */
export interface StatementRequest {
  id: number;
  on: 'read' | 'write';
  statement: StatementToSend;
}

/** A whole transaction. */
export interface TransactionRequest {
  id: number;
  statements: readonly StatementToSend[];
}

/** A checkpoint of the write-ahead log. A commit follows the last part. */
export interface CheckpointRequest {
  id: number;
  checkpoint: 'first' | 'last';
}

export type ThreadRequest = StatementRequest | TransactionRequest | CheckpointRequest;

/** The thread's response. For a transaction, the result has the rows of all its statements. */
export type ThreadReply = { id: number } & (
  | { result: StatementResult | true }
  | { error: { message: string; code: string | undefined; errcode: number | undefined } }
);
