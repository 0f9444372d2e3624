// Each contestant runs in a separate process over all rounds. How V8 compiles undici depends on what used it before. In
// one process, each contestant's speed would depend on the ones before it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Load } from './delivery-jobs.ts';
import type { Measured } from './job.ts';

/** A contestant. By default it takes a load and reports the result. */
export interface Contestant<Order = Load, Answer = Measured> extends AsyncDisposable {
  /** Makes one run. Rejects if the process ends first; its error is then on standard error. */
  run(order: Order): Promise<Answer>;
}

/** Starts a file of `contestants/`. SIGINT and SIGTERM end its process, so its run fails and the caller cleans up. */
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

/** Makes this process a contestant that does this on each request. */
export function compete<Order = Load, Answer = Measured>(run: (order: Order) => Promise<Answer>): void {
  process.on('message', async (order: Order) => process.send?.(await run(order)));
  // Call `exit`, so that the handlers that stop its own children run.
  const end = () => process.exit(1);
  process.once('disconnect', end).once('SIGINT', end).once('SIGTERM', end);
}
