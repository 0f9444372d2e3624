import { InvalidArgumentError } from 'commander';
import type { TargetResponse } from './forward.ts';

export function parseStatuses(text: string): readonly number[] {
  const statuses = text.split(',').map((part) => part.trim());
  if (statuses.every((status) => /^[2-5]\d\d$/.test(status))) return statuses.map(Number);
  throw new InvalidArgumentError(
    'The value must be a status between 200 and 599, or several statuses separated by commas, such as 503,503,200.',
  );
}

/** Replaces the forwarder if the user has no receiver yet. The last status repeats. */
export function createResponder([...left]: readonly number[]) {
  return {
    async forward(): Promise<TargetResponse> {
      const status = Number(left.length > 1 ? left.shift() : left[0]);
      return { status, headers: {}, body: Buffer.alloc(0), durationMs: 0, error: null };
    },
    async close() {},
  };
}

/** For example, `503, 503, then 200`. */
export function wordsOf(statuses: readonly number[]): string {
  const last = statuses.at(-1);
  return statuses.length === 1 ? String(last) : `${statuses.slice(0, -1).join(', ')}, then ${last}`;
}
