import { parserOf, partsOf } from '../../config/option-values.ts';
import type { TargetResponse } from './forward.ts';

export const parseStatuses = parserOf((text) => {
  const statuses = partsOf(text);
  return statuses.every((status) => /^[2-5]\d\d$/.test(status)) ? statuses.map(Number) : undefined;
}, 'be a status between 200 and 599, or several statuses separated by commas, such as 503,503,200');

/** Replaces the forwarder of `--forward-to` (`forward.ts`). Responds with each status in turn; the last one repeats. */
export function createResponder([...left]: readonly number[]) {
  return {
    async forward(): Promise<TargetResponse> {
      const status = Number(left.length > 1 ? left.shift() : left[0]);
      return { status, headers: {}, body: Buffer.alloc(0), durationMs: 0, error: null };
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** Returns text such as `503, 503, then 200`. */
export function wordsOf(statuses: readonly number[]): string {
  const last = statuses.at(-1);
  return statuses.length === 1 ? String(last) : `${statuses.slice(0, -1).join(', ')}, then ${last}`;
}
