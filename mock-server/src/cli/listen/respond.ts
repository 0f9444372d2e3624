import { createInterface } from 'node:readline';
import { InvalidArgumentError } from 'commander';
import type { Output } from '../output/output.ts';
import type { TargetResponse } from './forward.ts';

/** Statuses of responses: used in turn, then the last one repeats. */
export type Statuses = readonly [number, ...number[]];

/** Parses one status, or several with commas. @throws InvalidArgumentError */
export function parseStatuses(text: string): Statuses {
  const [first, ...others] = text.split(',').map((part) => (/^\s*\d{3}\s*$/.test(part) ? Number(part) : Number.NaN));
  const statuses: Statuses = [first ?? Number.NaN, ...others];
  if (statuses.every((status) => status >= 200 && status <= 599)) return statuses;
  throw new InvalidArgumentError(
    'It must be a status from 200 to 599, or several, separated by commas, such as 503,503,200.',
  );
}

/** Responds to deliveries itself, for people who have no receiver yet. Replaces a forwarder. */
export interface Responder {
  forward(): Promise<TargetResponse>;
  /** Replaces the statuses, from the next delivery on. */
  respond(statuses: Statuses): void;
  close(): Promise<void>;
}

export function createResponder(statuses: Statuses): Responder {
  let left = statuses;
  return {
    async forward() {
      const [status, next, ...others] = left;
      if (next !== undefined) left = [next, ...others];
      return { status, headers: {}, body: Buffer.alloc(0), durationMs: 0, error: null };
    },
    respond(changed) {
      left = changed;
    },
    async close() {},
  };
}

/** Lets a person at a terminal type other statuses, each line followed by Enter. Does nothing without a terminal. */
export function readTypedStatuses(output: Output, responder: Pick<Responder, 'respond'>): Disposable {
  if (!output.interactive || !process.stdin.isTTY) return { [Symbol.dispose]() {} };
  output.note('To change the status, type a new one, such as 200 or 503,200, and press Enter.');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    try {
      const statuses = parseStatuses(line);
      responder.respond(statuses);
      output.note(`Now responding with ${wordsOf(statuses)}.`);
    } catch (error) {
      output.note((error as Error).message);
    }
  });
  return { [Symbol.dispose]: () => lines.close() };
}

/** Such as `503, 503, then 200`. */
export function wordsOf(statuses: Statuses): string {
  const last = statuses.at(-1);
  return statuses.length === 1 ? String(last) : `${statuses.slice(0, -1).join(', ')}, then ${last}`;
}
