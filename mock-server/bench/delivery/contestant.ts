// Each contestant runs in a separate process for all rounds. How V8 compiles undici depends on how the process has used
// undici so far. So in a single process, each contestant would affect the speed of the next contestant.
import { type ForkOptions, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Load } from './delivery-jobs.ts';
import type { Measured } from './job.ts';

/** A process whose speed is measured. By default, a run takes a `Load` and returns a `Measured`. */
export interface Contestant<Order = Load, Result = Measured> extends AsyncDisposable {
  /** Starts a run. Rejects if the contestant's process ends first; the process prints the reason to standard error. */
  run(order: Order): Promise<Result>;
}

/**
 * Gives V8 more space for new objects. With the default of 16 MB, V8 copies most objects of attempts in flight to the
 * old generation.
 */
const MANY_SHORT_LIVED = ['--max-semi-space-size=64'];

/**
 * Runs a file from `contestants/` in a child process. If the parent process receives SIGINT or SIGTERM, the signal ends
 * only the child. In this case, `run` rejects, so that the caller can clean up.
 */
export function startContestant<Order extends object = Load, Result = Measured>(
  file: string,
  options: ForkOptions = {},
): Contestant<Order, Result> {
  const child = fork(new URL(`./contestants/${file}`, import.meta.url), { execArgv: MANY_SHORT_LIVED, ...options });
  const ended = once(child, 'exit');
  const failed = ended.then(() => Promise.reject(new Error(`The process of ${file} ended before its run did.`)));
  failed.catch(() => {});
  const stop = () => {
    if (child.connected) child.disconnect();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  return {
    async run(order) {
      const reply = once(child, 'message');
      child.send(order, () => {});
      const [result] = await Promise.race([reply, failed]);
      return result;
    },
    async [Symbol.asyncDispose]() {
      process.off('SIGINT', stop).off('SIGTERM', stop);
      stop();
      await ended;
    },
  };
}

/** Makes this process a contestant: the process calls `run` for each order that its parent sends. */
export function compete<Order = Load, Result = Measured>(run: (order: Order) => Promise<Result>): void {
  process.on('message', async (order: Order) => process.send?.(await run(order)));
  // Use `exit`, so that exit handlers can stop the child processes of this process.
  const end = () => process.exit(1);
  process.once('disconnect', end).once('SIGINT', end).once('SIGTERM', end);
}
