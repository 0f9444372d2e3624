import { createInterface } from 'node:readline';
import { InvalidArgumentError } from 'commander';
import { isTerminal } from '../confirm.ts';
import type { Output } from '../output/output.ts';
import type { TargetResponse } from './forward.ts';

/** The statuses of the next responses. The last status repeats. */
export type Statuses = readonly [number, ...number[]];

export function parseStatuses(text: string): Statuses {
  const [first, ...others] = text.split(',').map((part) => (/^\s*\d{3}\s*$/.test(part) ? Number(part) : Number.NaN));
  const statuses: Statuses = [first ?? Number.NaN, ...others];
  if (statuses.every((status) => status >= 200 && status <= 599)) return statuses;
  throw new InvalidArgumentError(
    'The value must be a status between 200 and 599, or several statuses separated by commas, such as 503,503,200.',
  );
}

/** Replaces the forwarder if the user has no receiver yet. */
export function createResponder(statuses: Statuses) {
  let left = statuses;
  return {
    async forward(): Promise<TargetResponse> {
      const [status, next, ...others] = left;
      if (next !== undefined) left = [next, ...others];
      return { status, headers: {}, body: Buffer.alloc(0), durationMs: 0, error: null };
    },
    respond(changed: Statuses): void {
      left = changed;
    },
    async close() {},
  };
}

/** Lets a user at a terminal type other statuses while the command runs. */
export function readTypedStatuses(output: Output, respond: (statuses: Statuses) => void): Disposable {
  if (!isTerminal(output)) return { [Symbol.dispose]() {} };
  output.note(
    'To change the status of the responses, type a status (200), or several for the next responses (503,200), and press Enter.',
  );
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    try {
      const statuses = parseStatuses(line);
      respond(statuses);
      output.note(`Now responding with ${wordsOf(statuses)}.`);
    } catch (error) {
      output.note((error as Error).message);
    }
  });
  return { [Symbol.dispose]: () => lines.close() };
}

/** For example, `503, 503, then 200`. */
export function wordsOf(statuses: Statuses): string {
  const last = statuses.at(-1);
  return statuses.length === 1 ? String(last) : `${statuses.slice(0, -1).join(', ')}, then ${last}`;
}
