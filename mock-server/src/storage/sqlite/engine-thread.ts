// A separate thread for the delivery engine's statements, so that no request waits while they run or wait for the disk.
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { RowBatch } from '../row-batch.ts';
import { CHECKPOINT } from './checkpoints.ts';
import { connect } from './connection.ts';
import { createStatements, runStatement } from './statements.ts';
import type {
  CheckpointRequest,
  StatementAnswer,
  StatementRequest,
  StatementToSend,
  ThreadAnswer,
  ThreadRequest,
  TransactionRequest,
} from './thread-messages.ts';
import { BEGIN, TransactionEndedError } from './trouble.ts';

const port = parentPort;
if (!port) throw new Error('This runs as a thread only.');

// Reads use a second connection, so that they never see half of a transaction.
const databases: Record<StatementRequest['on'], DatabaseSync> = {
  write: connect(workerData as string),
  read: connect(workerData as string),
};
const statements = {
  // After a transaction has ended or failed to begin, no further statement of it may run.
  write: createStatements(databases.write, (sql, latestFailure) => {
    if (!databases.write.isTransaction && sql !== BEGIN) throw new TransactionEndedError(latestFailure);
  }),
  read: createStatements(databases.read),
};

function run(on: StatementRequest['on'], { sql, parameters, rows }: StatementToSend): StatementAnswer {
  return runStatement(statements[on], sql, rows ? [new RowBatch(rows)] : parameters);
}

/** @returns false if a guard returned a row. Then nothing was written. */
function runTransaction({ guards, statements }: TransactionRequest): boolean {
  const { write: database } = databases;
  database.exec(BEGIN);
  try {
    const isRefused = guards.some((guard) => run('write', guard).rows.length > 0);
    if (!isRefused) for (const statement of statements) run('write', statement);
    database.exec(isRefused ? 'ROLLBACK' : 'COMMIT');
    return !isRefused;
  } catch (error) {
    // If the failure ended the transaction, there is nothing to roll back.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function checkpoint(part: CheckpointRequest['checkpoint']): true {
  // Use the read connection, because the other one may have an open transaction.
  databases.read.exec(CHECKPOINT);
  if (part === 'last') {
    const { user_version: version } = databases.write.prepare('PRAGMA user_version').get() as { user_version: number };
    databases.write.exec(`${BEGIN}; PRAGMA user_version = ${version}; COMMIT`);
  }
  return true;
}

function resultOf(request: ThreadRequest): StatementAnswer | boolean {
  if ('checkpoint' in request) return checkpoint(request.checkpoint);
  return 'guards' in request ? runTransaction(request) : run(request.on, request.statement);
}

function answer(request: ThreadRequest): ThreadAnswer {
  const { id } = request;
  try {
    return { id, result: resultOf(request) };
  } catch (error) {
    const { message, code, errcode } = error as { message: string; code?: string; errcode?: number };
    return { id, error: { message, code, errcode } };
  }
}

port.on('message', (request: ThreadRequest | 'close') => {
  if (request !== 'close') return port.postMessage(answer(request));
  for (const database of Object.values(databases)) database.close();
  port.close();
});
port.postMessage('ready');
