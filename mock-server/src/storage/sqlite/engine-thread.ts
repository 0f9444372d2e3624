// Runs the delivery engine's statements. Commits do not wait for the disk: the main thread flushes the log.
import { parentPort, workerData } from 'node:worker_threads';
import type { QueryResult } from 'kysely';
import { connectWithoutFlush } from './connection.ts';
import type { StatementToSend, ThreadReply, ThreadRequest } from './database-thread.ts';
import { createStatements } from './statements.ts';
import { BEGIN } from './trouble.ts';

const port = parentPort;
if (!port) throw new Error('This file runs only as a worker thread.');

// Reads use a second connection, so reads never see uncommitted changes.
const databases = {
  write: connectWithoutFlush(workerData as string),
  read: connectWithoutFlush(workerData as string),
};
const run = {
  write: createStatements(databases.write, { inTransaction: true }),
  read: createStatements(databases.read),
};

function runTransaction(statements: readonly StatementToSend[]): QueryResult<unknown> {
  const { write: database } = databases;
  database.exec(BEGIN);
  try {
    const responses = statements.map(({ sql, parameters }) => run.write(sql, parameters));
    database.exec('COMMIT');
    return { rows: responses.flatMap(({ rows }) => rows) };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function handle({ id, request }: { id: number; request: ThreadRequest }): ThreadReply {
  try {
    if ('transaction' in request) return { id, result: runTransaction(request.transaction) };
    return { id, result: run[request.on](request.statement.sql, request.statement.parameters) };
  } catch (error) {
    const { message, code, errcode } = error as { message: string; code?: string; errcode?: number };
    return { id, error: { message, code, errcode } };
  }
}

port.on('message', (message: Parameters<typeof handle>[0] | 'close') => {
  if (message !== 'close') return port.postMessage(handle(message));
  for (const database of Object.values(databases)) database.close();
  port.close();
});
port.postMessage('ready');
