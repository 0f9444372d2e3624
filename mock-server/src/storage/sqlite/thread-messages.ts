import type { StatementResult } from './statements.ts';

/** A statement in the form that is sent to the thread. */
export interface StatementToSend {
  sql: string;
  parameters: readonly unknown[];
}

/** A request to run one statement on one of the thread's connections. */
export interface StatementRequest {
  id: number;
  on: 'read' | 'write';
  statement: StatementToSend;
}

/** A request to run a whole transaction. */
export interface TransactionRequest {
  id: number;
  statements: readonly StatementToSend[];
}

/** A request to run a part of a checkpoint. After the last part, the thread makes a commit. */
export interface CheckpointRequest {
  id: number;
  checkpoint: 'first' | 'last';
}

export type ThreadRequest = StatementRequest | TransactionRequest | CheckpointRequest;

/** The thread's response. For a transaction, the result contains the rows of all statements. */
export type ThreadReply = { id: number } & (
  | { result: StatementResult | true }
  | { error: { message: string; code: string | undefined; errcode: number | undefined } }
);
