import { Worker } from 'node:worker_threads';
import type { CompiledQuery, QueryResult } from 'kysely';
import { StorageUnavailableError } from '../port.ts';

export type StatementToSend = Pick<CompiledQuery, 'sql' | 'parameters'>;

export type ThreadRequest =
  | { on: 'read' | 'write'; statement: StatementToSend }
  | { statements: readonly StatementToSend[] }
  /** Runs a part of a checkpoint. After the last part, the thread makes a commit. */
  | { checkpoint: 'first' | 'last' };

/** For a transaction, the result contains the rows of all statements. */
export type ThreadReply = { id: number } & (
  | { result: QueryResult<unknown> | true }
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
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
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
    // The thread may have committed its current work before it exited.
    const lost = threadIsGone();
    for (const { reject } of waiting.values()) reject(lost);
    waiting.clear();
    onLost(cause);
  });

  const threadIsGone = () =>
    new StorageUnavailableError('The database thread exited unexpectedly.', { cause, outcome: 'unknown' });

  return {
    isUp: (): boolean => isUp,

    async send<Result>(request: ThreadRequest): Promise<Result> {
      // The thread may have ended while the caller waited for the lock on writes. It would never respond.
      if (!isUp) throw threadIsGone();
      const id = ++requests;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(id, asked);
      thread.postMessage({ id, request });
      return asked.promise as Promise<Result>;
    },

    /** Call this only after all requests have ended. */
    async close(): Promise<void> {
      isClosing = true;
      thread.postMessage('close');
      await ended;
    },
  };
}
