import { fork } from 'node:child_process';
import { once } from 'node:events';
import { quantile } from './interleave.ts';
import { printSpeed } from './speed.ts';
import type { Figure } from './targets.ts';

const PROCESSES = 3;

// `medianSpeed` starts this file as a separate process. The process sends its figures to `medianSpeed`.
if (import.meta.main) process.send?.(await printSpeed());

/**
 * Measures in several processes, one after the other, and returns the median of each figure. V8 compiles a function
 * differently in each process, so the figures of two processes can differ by more than the targets allow.
 */
export async function medianSpeed(): Promise<Figure[]> {
  const runs: Figure[][] = [];
  for (let count = 0; count < PROCESSES; count++) {
    const child = fork(import.meta.filename);
    const ended = once(child, 'exit');
    const [figures] = await Promise.race([once(child, 'message'), ended.then(failed)]);
    await ended;
    runs.push(figures);
  }
  const [first = []] = runs;
  return first.map((figure, at) => ({
    ...figure,
    value: quantile(
      runs.map((run) => run[at]?.value ?? Number.NaN),
      0.5,
    ),
  }));
}

function failed([code]: unknown[]): never {
  throw new Error(`The measuring process exited with ${code}.`);
}
