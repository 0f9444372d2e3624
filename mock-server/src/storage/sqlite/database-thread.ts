import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { StorageUnavailableError } from '../port.ts';

export type StatementToSend = Pick<CompiledQuery, 'sql' | 'parameters'>;

export type ThreadRequest =
  | { on: 'read' | 'write'; statement: StatementToSend }
  /** Runs the statements as one transaction. The result contains the rows of all statements. */
  | { transaction: readonly StatementToSend[] };

export type ThreadReply = { id: number } & (
  | { result: QueryResult<unknown> }
  | { error: { message: string; code: string | undefined; errcode: number | undefined } }
);

interface ThreadListener {
  onUp(): void;
  onDown(): void;
  /** Called after `onDown` if the thread has ended unexpectedly. */
  onLost(reason: unknown): void;
}

export function startDatabaseThread(file: string, { onUp, onDown, onLost }: ThreadListener) {
  const name = import.meta.url.endsWith('.ts') ? './engine-thread.ts' : './engine-thread.js';
  const thread = new Worker(new URL(name, import.meta.url), { workerData: file, name: 'delivery engine' });
  const waiting = new Map<number, PromiseWithResolvers<QueryResult<unknown>>>();
  const ended = new Promise((resolve) => thread.once('exit', resolve));
  let isUp = false;
  let isClosing = false;
  let cause: unknown;
  let requests = 0;

  thread.on('message', (response: 'ready' | ThreadReply) => {
    if (response === 'ready') {
      isUp = true;
      if (!isClosing) onUp();
      return;
    }
    const { id } = response;
    const asked = waiting.get(id);
    waiting.delete(id);
    if ('error' in response) asked?.reject(Object.assign(new Error(response.error.message), response.error));
    else asked?.resolve(response.result);
  });
  thread.on('error', (error) => {
    cause = error;
  });
  thread.on('exit', () => {
    isUp = false;
    onDown();
    if (isClosing) return;
    // The thread may have committed its current work before it exited, so the outcome is unknown.
    const lost = threadIsGone();
    for (const { reject } of waiting.values()) reject(lost);
    waiting.clear();
    onLost(cause);
  });

  const threadIsGone = () =>
    new StorageUnavailableError('The database thread exited unexpectedly.', { cause, outcome: 'unknown' });

  return {
    isUp: (): boolean => isUp,

    async send(request: ThreadRequest): Promise<QueryResult<unknown>> {
      // If the thread ended while the caller waited for the lock on writes, the thread would never respond.
      if (!isUp) throw threadIsGone();
      const id = ++requests;
      const asked = Promise.withResolvers<QueryResult<unknown>>();
      waiting.set(id, asked);
      thread.postMessage({ id, request });
      return await asked.promise;
    },

    /** Call this only after all requests have ended. */
    async close(): Promise<void> {
      isClosing = true;
      thread.postMessage('close');
      await ended;
    },
  };
}
