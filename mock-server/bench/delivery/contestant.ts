// Each contestant runs in a process of its own over all rounds: how V8 compiles undici depends on what used it before, so
// that in one process each would be as fast as those before it let it be.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Load } from './delivery-jobs.ts';
import type { Measured } from './job.ts';

/** What is compared: takes a load and tells what the run came to, unless it is asked for something else. */
export interface Contestant<Order = Load, Answer = Measured> extends AsyncDisposable {
  /** One run. Rejects if its process ends before; what failed then stands on standard error. */
  run(order: Order): Promise<Answer>;
}

/** Starts a file of `contestants/`. SIGINT and SIGTERM end its process, and so fail its run: the caller then cleans up. */
export function startContestant<Order extends object = Load, Answer = Measured>(
  file: string,
): Contestant<Order, Answer> {
  const child = fork(new URL(`./contestants/${file}`, import.meta.url));
  const ended = once(child, 'exit');
  const failed = ended.then(() => Promise.reject(new Error(`The process of ${file} ended before its run did.`)));
  failed.catch(() => {});
  const stop = () => {
    if (child.connected) child.disconnect();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return {
    async run(order) {
      const answered = once(child, 'message');
      child.send(order, () => {});
      const [answer] = await Promise.race([answered, failed]);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      stop();
      await ended;
    },
  };
}

/** Makes this process a contestant, which does this whenever it is asked to. */
export function compete<Order = Load, Answer = Measured>(run: (order: Order) => Promise<Answer>): void {
  process.on('message', async (order: Order) => process.send?.(await run(order)));
  // By `exit`, so that what stops its own children runs.
  const end = () => process.exit(1);
  process.once('disconnect', end).once('SIGINT', end).once('SIGTERM', end);
}
