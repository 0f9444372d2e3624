// A thread of its own for the delivery engine's statements, so that no request waits while they run or wait for the disk.
import type { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { RowBatch } from '../row-batch.ts';
import { connect } from './connection.ts';
import { createStatements } from './statements.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts';
import { BEGIN, TransactionEndedError } from './trouble.ts';

const port = parentPort;
if (!port) throw new Error('This runs as a thread only.');

// What is read must not be half of what is being written.
const databases: Record<ThreadRequest['on'], DatabaseSync> = {
  write: connect(workerData as string),
  read: connect(workerData as string),
};
const statements = {
  write: createStatements(databases.write, (sql) => {
    if (!databases.write.isTransaction && sql !== BEGIN) throw new TransactionEndedError();
  }),
  read: createStatements(databases.read),
};

function answer({ id, on, sql, parameters, rows }: ThreadRequest): ThreadAnswer {
  try {
    const statement = statements[on].prepare(sql);
    const given = rows ? [new RowBatch(rows)] : parameters;
    if (statement.reader) return { id, rows: statement.all(given) };
    return { id, rows: [], changes: Number(statement.run(given).changes) };
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
